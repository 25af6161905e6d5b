// Hides from some LLVM passes that memory is dereferenceable: they would read it for that reason
// alone.
//
// Under sanitize_thread (speculate.c) most of LLVM speculates no load. Some passes still do: SROA
// and InstCombine turn a load of `c ? &a : &b` into loads of both, argument promotion and LICM put
// a load in front of a store, InstCombine turns a masked load into a whole one. All of them first
// ask whether the address is certain to be dereferenceable. So, while such a pass runs:
//  - a global variable is a weak reference, which may be null; its linkage is restored afterwards;
//  - a call's result has no dereferenceable attribute;
//  - the sizes of globals that InstCombine would ask for are folded before;
//  - for InstCombine, a load of a selected address is volatile, which it leaves alone. That covers
//    locals, whose memory cannot be hidden.
// The code keeps its meaning; the pass only knows less.
//
// SROA turns a load that it cannot speculate into branches, so its locals are still promoted.
#pragma GCC visibility push(default) // LLVM knows a unit by a variable's address
#include "llvm/Analysis/LazyCallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/ValueHandle.h"
#pragma GCC visibility pop
#include "plugin.h"
#include <utility>
#include <vector>

using namespace llvm;

namespace
{
// The variables of the module that is compiled. Only passes over the whole module change this list;
// a walk over all globals for each function would be quadratic.
const Module *listed;
std::vector<WeakVH> variables;

std::vector<std::pair<GlobalVariable *, GlobalValue::LinkageTypes>> globals;
std::vector<WeakVH> loads;

bool speculates(StringRef pass)
{
	return pass == "SROAPass" || pass == "InstCombinePass" || pass == "ArgumentPromotionPass" ||
	       pass == "LICMPass";
}

// The function that the pass will run on, or the first of several; NULL for a whole module.
Function *unit_of(const Any &ir)
{
	const Function *f = nullptr;

	if (auto *x = any_cast<const Function *>(&ir))
		f = *x;
	else if (auto *l = any_cast<const Loop *>(&ir))
		f = (*l)->getHeader()->getParent();
	else if (auto *s = any_cast<const LazyCallGraph::SCC *>(&ir))
		f = &(*s)->begin()->getFunction();
	return const_cast<Function *>(f);
}

void list_variables(Module &m)
{
	variables.clear();
	for (GlobalVariable &g : m.globals())
		if (!g.isConstant() && !g.hasAppendingLinkage() && !g.hasExternalWeakLinkage())
			variables.emplace_back(&g);
	listed = &m;
}

void deny_globals(Module &m)
{
	if (listed != &m)
		list_variables(m);
	for (WeakVH &v : variables)
		if (auto *g = dyn_cast_or_null<GlobalVariable>(static_cast<Value *>(v))) {
			globals.emplace_back(g, g->getLinkage());
			g->setLinkage(GlobalValue::ExternalWeakLinkage);
		}
}

// True if a phi merges the load with others: they could inherit its volatility, so leave it.
bool merged(const LoadInst *l)
{
	for (const User *u : l->users())
		if (isa<PHINode>(u))
			return true;
	return false;
}

// Folds llvm.objectsize of a global, which has no known size while it is a weak reference.
void fold_sizes(Function &f)
{
	const DataLayout &dl = f.getParent()->getDataLayout();

	for (Instruction &i : make_early_inc_range(instructions(f))) {
		auto *c = dyn_cast<IntrinsicInst>(&i);
		ObjectSizeOpts how;
		uint64_t size;

		if (!c || c->getIntrinsicID() != Intrinsic::objectsize ||
		    !isa<GlobalVariable>(getUnderlyingObject(c->getArgOperand(0))))
			continue;
		how.EvalMode = cast<ConstantInt>(c->getArgOperand(1))->isZero()
				   ? ObjectSizeOpts::Mode::Max
				   : ObjectSizeOpts::Mode::Min;
		how.NullIsUnknownSize = cast<ConstantInt>(c->getArgOperand(2))->isOne();
		if (!getObjectSize(c->getArgOperand(0), size, dl, nullptr, how))
			continue;
		c->replaceAllUsesWith(ConstantInt::get(c->getType(), size));
		c->eraseFromParent();
	}
}

void deny_code(Function &f, bool selected)
{
	for (Instruction &i : instructions(f)) {
		auto *l = dyn_cast<LoadInst>(&i);

		if (auto *c = dyn_cast<CallBase>(&i)) {
			c->removeRetAttr(Attribute::Dereferenceable);
			c->removeRetAttr(Attribute::DereferenceableOrNull);
		} else if (selected && l && l->isSimple() && !merged(l) &&
			   isa<SelectInst>(l->getPointerOperand())) {
			l->setVolatile(true);
			loads.emplace_back(l);
		}
	}
}

void restore()
{
	for (auto &[g, linkage] : globals)
		g->setLinkage(linkage);
	for (WeakVH &v : loads)
		if (auto *l = dyn_cast_or_null<LoadInst>(static_cast<Value *>(v)))
			l->setVolatile(false);
	globals.clear();
	loads.clear();
}
} // namespace

void fr_deny_register(PassInstrumentationCallbacks *pic)
{
	if (!pic)
		return;
	pic->registerBeforeNonSkippedPassCallback([](StringRef pass, Any ir) {
		Function *f = speculates(pass) ? unit_of(ir) : nullptr;

		if (any_cast<const Module *>(&ir))
			listed = nullptr;
		if (!f)
			return;
		if (pass == "InstCombinePass")
			fold_sizes(*f);
		deny_globals(*f->getParent());
		if (pass == "SROAPass" || pass == "InstCombinePass")
			deny_code(*f, pass == "InstCombinePass");
	});
	pic->registerAfterPassCallback([](StringRef pass, Any, const PreservedAnalyses &) {
		if (speculates(pass))
			restore();
	});
	pic->registerAfterPassInvalidatedCallback([](StringRef pass, const PreservedAnalyses &) {
		if (speculates(pass))
			restore();
	});
}
