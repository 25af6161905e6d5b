forerun: cannot run '../omp': No such file or directory
