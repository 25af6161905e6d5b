// Registers the two passes with clang. The other files are C, except deny.cpp.
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
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
extern "C" bool fr_plugin_tell_apart(LLVMModuleRef m);
extern "C" unsigned fr_plugin_discriminator(LLVMMetadataRef loc);

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

// Whether the instruction may become a site of its own: 1 a load, 2 a store, 3 another access or a
// call.
static unsigned site_class(const Instruction &i)
{
	if (auto *l = dyn_cast<LoadInst>(&i))
		return isa<AllocaInst>(l->getPointerOperand()) ? 0 : 1;
	if (auto *s = dyn_cast<StoreInst>(&i))
		return isa<AllocaInst>(s->getPointerOperand()) ? 0 : 2;
	if (isa<AtomicRMWInst>(i) || isa<AtomicCmpXchgInst>(i))
		return 3;
	return isa<CallBase>(i) && !isa<DbgInfoIntrinsic>(i) ? 3 : 0;
}

// Gives instructions of one source position, as in a macro, different discriminators. Copies that
// the optimiser makes later keep theirs, so a site remains one position of the source.
bool fr_plugin_tell_apart(LLVMModuleRef m)
{
	bool changed = false;

	for (Function &f : *unwrap(m)) {
		DenseMap<std::pair<const DILocation *, unsigned>, unsigned> seen;

		for (Instruction &i : instructions(f)) {
			const DILocation *loc = i.getDebugLoc().get();
			unsigned kind = loc ? site_class(i) : 0, nth;

			if (!kind)
				continue;
			nth = seen[{loc, kind}]++;
			if (!nth)
				continue;
			if (auto other = loc->cloneWithBaseDiscriminator(nth)) {
				i.setDebugLoc(DebugLoc(*other));
				changed = true;
			}
		}
	}
	return changed;
}

// The discriminators of a location and of the calls that inlined it, as one number.
unsigned fr_plugin_discriminator(LLVMMetadataRef loc)
{
	unsigned n = 0;

	for (const DILocation *l = unwrap<DILocation>(loc); l; l = l->getInlinedAt())
		n = n * 4099 + l->getBaseDiscriminator();
	return n;
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
