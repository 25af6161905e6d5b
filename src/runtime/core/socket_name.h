/*
 * The addresses of sockets, for peer.h. The functions may change errno.
 */
#ifndef FRT_SOCKET_NAME_H
#define FRT_SOCKET_NAME_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/un.h>

/* The address of one end of a socket. len = 0: it has none, or one that is too long. */
struct frt_socket_name {
	socklen_t len;
	union {
		struct sockaddr a;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
		struct sockaddr_un un;
		struct sockaddr_storage all;
	};
};

/* The address of this end of a socket, or of the remote end. */
struct frt_socket_name frt_socket_name(int fd, bool remote);
struct frt_socket_name frt_socket_name_from(const struct sockaddr *a, socklen_t len);
bool frt_socket_is_internet(const struct frt_socket_name *n);
/* The port of an internet address in the program's byte order; 0: it has none. */
uint16_t frt_socket_port(const struct frt_socket_name *n);
/* Are both internet addresses of this machine, as far as they show it? */
bool frt_socket_same_host(const struct frt_socket_name *a, const struct frt_socket_name *b);
/* A hash of the address; 0: it has none. All internet addresses count as one: the port decides. */
uint64_t frt_socket_hash(const struct frt_socket_name *n);
/* SOCK_STREAM ...; 0: fd is no socket. */
uint8_t frt_socket_type(int fd);
/* Is the other end of this Unix socket, or the process that listens there, this process? */
bool frt_socket_is_self(int fd);

#endif
