// Registers the two passes with clang. The other files are C, except deny.cpp.
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include <cstdio>
#include <cstdlib>
#include "plugin.h"
#include <llvm-c/Core.h>

using namespace llvm;

extern "C" bool fr_pass_start(LLVMModuleRef m);
extern "C" bool fr_pass_instrument(LLVMModuleRef m);
extern "C" void fr_plugin_drop_flags(LLVMModuleRef m);
extern "C" void fr_plugin_phi_from(LLVMValueRef phi, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
extern "C" void fr_plugin_option(const char *name, const char *value);

// LLVM-C cannot delete named metadata. Flags of the hooks' bitcode must not affect the program's.
void fr_plugin_drop_flags(LLVMModuleRef m)
{
	if (NamedMDNode *flags = unwrap(m)->getModuleFlagsMetadata())
		flags->eraseFromParent();
}

// LLVM-C cannot change the incoming block of a phi.
void fr_plugin_phi_from(LLVMValueRef phi, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	unwrap<PHINode>(phi)->replaceIncomingBlockWith(unwrap(from), unwrap(to));
}

// Overrides the user's -mllvm. An option may occur only once, so its count is reset.
void fr_plugin_option(const char *name, const char *value)
{
	auto &all = cl::getRegisteredOptions();
	auto it = all.find(name);

	if (it == all.end())
		return; // this LLVM has no such transformation
	it->second->reset();
	if (it->second->addOccurrence(0, name, value)) {
		fprintf(stderr, "forerun: LLVM refuses -%s=%s\n", name, value);
		exit(1);
	}
}

namespace
{
template <bool (*Run)(LLVMModuleRef)> struct FrPass : PassInfoMixin<FrPass<Run>> {
	PreservedAnalyses run(Module &m, ModuleAnalysisManager &)
	{
		return Run(wrap(&m)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
	}
	static bool isRequired()
	{
		return true;
	}
};
} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo()
{
	return
	{
		LLVM_PLUGIN_API_VERSION, "forerun", LLVM_VERSION_STRING, [](PassBuilder &pb) {
			fr_deny_register(pb.getPassInstrumentationCallbacks());
			pb.registerPipelineStartEPCallback(
			    [](ModulePassManager &pm, OptimizationLevel) {
				    pm.addPass(FrPass<fr_pass_start>());
			    });
			pb.registerOptimizerLastEPCallback(
#if LLVM_VERSION_MAJOR >= 20
			    [](ModulePassManager &pm, OptimizationLevel, ThinOrFullLTOPhase) {
#else
			    [](ModulePassManager &pm, OptimizationLevel) {
#endif
				    pm.addPass(FrPass<fr_pass_instrument>());
			    });
		}
	};
}
