/* Shared by the C++ files of the plug-in. */
#ifndef FR_PASS_PLUGIN_H
#define FR_PASS_PLUGIN_H

namespace llvm
{
class PassInstrumentationCallbacks;
}

/* deny.cpp: registers callbacks before and after each pass. */
void fr_deny_register(llvm::PassInstrumentationCallbacks *pic);

#endif
