"""Clause mutants: a reference changed so that it breaks one promise of its docstring, which hidden cases must notice.

Automatic mutants (see ``mutants``) change what the reference's text shows. What its docstring promises need not show
there: that any strides will do, say, or that a keyword may be 0. So for each promise that can be read off a signature
and a docstring the reference gets a decorator of ``breaking`` or another form of an expression; for sentences, those
forms that an assignment's ``promises`` list.
"""

from __future__ import annotations

import ast
import copy
import inspect
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from autograder import breaking
from autograder.course import CourseError, Promise
from autograder.docstring import Docstring
from autograder.mutants import Kind, Mutant, code, digest
from autograder.source import definition

HELPER = {"breaking.py": inspect.getsource(breaking)}  # which stands beside the mutated reference
NOT_FLOATING = re.compile(r"\b(Int|Int64|Integer|UInt8|Bool)\[[^]]*\]")
WHOLE = re.compile(r"int\b|Int")  # an annotation
NEARLY = 1e-10  # what is so small is often taken for 0
POSITIVE = re.compile(r">=? ?[1-9]|> 0|at least [1-9]|from [1-9]")  # a number that cannot be 0


@dataclass(frozen=True)
class Clause(Mutant):
    """``promise`` is what it breaks: one of those that ``audit_promises`` finds."""

    promise: str


@dataclass(frozen=True)
class Signature:
    """The function that a promise is about: the exercise itself, or the ``forward`` of a module."""

    owner: str  # "" or the name of the method
    arguments: dict[str, str]  # name → annotation, without the aliases of its file
    returns: str
    defaults: dict[str, str]

    @property
    def arrays(self) -> list[str]:
        return [name for name, kind in self.arguments.items() if _is_array(kind)]

    def of(self, *words: str) -> list[str]:
        return [name for name, kind in self.arguments.items() if any(word in kind for word in words)]


def clauses(source: str, name: str, promises: tuple[Promise, ...] = ()) -> list[Clause]:
    """Every clause mutant of one exercise: a top-level function or class of ``source``.

    Raises:
        CourseError: what a promise replaces does not stand in the exercise exactly once.
    """
    tree = code(definition(source, name))
    original, stamp = ast.unparse(tree), digest(source, name)
    found: dict[str, Clause] = {}
    for change, text, promise in (
        *_decorated(source, name, tree),
        *_rewritten(tree, _whole(source, name)),
        *_listed(source, name, promises),
    ):
        if text not in found and text != original:
            found[text] = Clause(name, stamp, change, text, Kind.PROMISE, promise)
    return list(found.values())


def _decorated(source: str, name: str, tree: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Change, source and promise, by the rules that need a signature and a docstring alone."""
    header = " ".join((ast.get_docstring(ast.parse(source)) or "").split())
    for signature in signatures(source, name):
        docs = Docstring.of(source, name, signature.owner)
        everything = Docstring.of(source, name, "").text + docs.text
        rules = [*_rules(signature, docs, everything)]
        if "later calls" in header and signature.arrays and "ndarray" in signature.returns:
            rules.append(("the answer → overwritten by the next one", "overwrites_answers()", "answers"))
        if "earlier calls" in header and signature.arrays and not signature.of("Callable"):
            rules.append(("the answer → that to the last call with the same objects", "trusts_objects()", "calls"))
        if "into their answers" in header and "ndarray" in signature.returns:
            rules.append(("the answer → the same arrays whenever it is asked for", "hands_out_again()", "calls"))
        if "earlier calls" in header and len(signature.arguments) > 1:
            rules += [
                (f"the answer → remembered without {argument}", f"remembers_without({argument!r})", "calls")
                for argument in signature.arguments
            ]
        for change, decorator, promise in rules:
            yield change, _with_decorator(tree, signature.owner, decorator), promise


def _rules(signature: Signature, docs: Docstring, text: str) -> Iterator[tuple[str, str, str]]:
    """Change, decorator and promise."""
    where = f"{signature.owner}: " if signature.owner else ""
    is_torch = bool(re.search(r"Tensor|\bnn\.", " ".join((signature.returns, *signature.arguments.values()))))
    typed = bool(re.search(r"ndarray|\[Tensor", signature.returns))  # and no number that may be a tensor without axes
    if signature.owner != "__init__":
        always_wide = "float64" in docs.returns and "dtype" not in docs.returns
        if signature.arrays and typed and _is_array(NOT_FLOATING.sub("", signature.returns)) and not always_wide:
            yield f"{where}the answer → in float64", "widened()", "dtype"
        first = next(iter(signature.arrays), "")
        if re.search(r"common floating dtype|floating dtype of", docs.returns):
            if len(signature.arrays) == 1:
                yield f"{where}the answer → in the dtype of {first}", f"answer_in_dtype_of({first!r})", "dtype"
            for array in signature.arrays[1:] and signature.arrays:
                yield f"{where}everything → in the dtype of {array}", f"computed_in_dtype_of({array!r})", "dtype"
        for array in signature.arrays:
            yield f"{where}{array} → written to", f"writes_into({array!r})", "arguments"
            if not (is_torch and "ndarray" in signature.arguments[array]):  # which are contiguous
                yield f"{where}{array} → read as if contiguous", f"reads_contiguously({array!r})", "strides"
        if signature.arrays and typed:
            never_one = re.search(
                r" ([2-9]\d*|1\d+|[2-9]\*\w+)'", signature.returns
            )  # such as the last axis of "steps 2"
            for axis, words in ((0, "without a first axis of one"), (-1, "without a last axis of one")):
                if not (axis and never_one):
                    yield f"{where}the answer → {words}", f"squeezed({axis})", "sizes of one"
            yield f"{where}the answer → without axes of one", "squeezed(None)", "sizes of one"
        if "radients reach" in text or "require gradients" in docs.returns:
            yield f"{where}the answer → without gradients", "detached()", "gradients"
    if docs.raises:
        yield f"{where}the error → swallowed", "raises_nothing()", "raises"
    for keyword, default in signature.defaults.items():
        promise = f"{where}{keyword}={default}"
        yield f"{where}{keyword} → its default", f"ignores({keyword!r})", promise
        kind, said = signature.arguments[keyword], docs.argument(keyword)
        zero = "float" in kind or ("int" in kind and re.search(rf"{keyword}`[^.]*\bany number", text))
        value = ast.literal_eval(default) if default[0] in "-0123456789'TFN(" else True
        if zero and (value or value is None) and not POSITIVE.search(said):
            yield f"{where}{keyword} → its default where it is falsy", f"takes_falsy_for_default({keyword!r})", promise
    for module in signature.of("nn.Module"):
        if re.search(r"\bmode\b", text):
            for training, word, other in ((True, "training", "evaluation"), (False, "evaluation", "training")):
                if "Afterwards" in text:
                    yield f"{module} → left in {word} mode", f"leaves_mode({module!r}, {training})", "modes"
                if f"{other} mode" in text:
                    yield f"{module} → always in {word} mode", f"enters_mode({module!r}, {training})", "modes"
        if "buffers" in text:
            yield f"{module} → with its old buffers", f"keeps_buffers({module!r})", "buffers"
        if signature.of("Optimizer") and "None" in text:
            yield f"{module} → failing for a gradient of None", f"fails_without_gradient({module!r})", "gradients"
    for optimizer in signature.of("Optimizer"):
        yield f"{optimizer} → its first parameter group", f"first_group_only({optimizer!r})", "parameter groups"


def _rewritten(tree: ast.Module, whole: set[str]) -> Iterator[tuple[str, str, str]]:
    """Change, source and promise, by the rules that look for an expression that is easily written in a worse form."""
    for number, node in enumerate(ast.walk(tree)):
        if isinstance(node, ast.expr) and (worse := _worse(node) or _nearly(node, whole)):
            changed = copy.deepcopy(tree)
            target = list(ast.walk(changed))[number]
            yield (
                f"{ast.unparse(node)} → {ast.unparse(worse)}",
                ast.unparse(_Put(target, worse).visit(changed)),
                "numbers",
            )


def _worse(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(ast.Attribute(ast.expr() as of, "var" | "std" as name), args, keywords) if not _is_module(of):
            keywords = [keyword for keyword in keywords if keyword.arg not in ("correction", "ddof")]
            squares, mean = (
                ast.Call(ast.Attribute(value, "mean"), args, keywords)
                for value in (ast.BinOp(of, ast.Pow(), ast.Constant(2)), of)
            )
            spread = ast.BinOp(squares, ast.Sub(), ast.BinOp(mean, ast.Pow(), ast.Constant(2)))
            return ast.BinOp(spread, ast.Pow(), ast.Constant(0.5)) if name == "std" else spread
        case ast.BinOp(left, ast.Sub(), ast.Call(ast.Attribute(of, "max"))) if ast.dump(left) == ast.dump(of):
            return left
        case ast.Call(ast.Attribute(_, "where"), [condition, kept, ast.Constant(0 | 0.0)]):
            return ast.BinOp(kept, ast.Mult(), condition)
        case ast.Call(ast.Attribute(of, "masked_fill"), [ast.UnaryOp(ast.Invert(), mask), ast.Constant(0)]):
            return ast.BinOp(of, ast.Mult(), mask)
    return None


def _whole(source: str, name: str) -> set[str]:
    """The arguments that hold whole numbers alone."""
    kinds = (signature.arguments.items() for signature in signatures(source, name))
    return {argument for arguments in kinds for argument, kind in arguments if WHOLE.match(kind)}


def _nearly(node: ast.expr, whole: set[str]) -> ast.expr | None:
    """A comparison with 0 that takes what is nearly 0 for it; none of what can only be a whole number."""
    match node:
        case ast.Compare(left, [op], [ast.Constant(0 | 0.0)]):
            names = {part.id for part in ast.walk(left) if isinstance(part, ast.Name)}
            if names & {*whole, "len"} or any(
                isinstance(part, ast.Mod) or (isinstance(part, ast.Attribute) and part.attr in ("size", "ndim"))
                for part in ast.walk(left)
            ):
                return None
            if isinstance(op, ast.Eq | ast.NotEq):
                near = ast.Call(ast.Name("abs"), [left], [])
                return ast.Compare(near, [ast.LtE() if isinstance(op, ast.Eq) else ast.Gt()], [ast.Constant(NEARLY)])
            below = isinstance(op, ast.Lt | ast.GtE)
            return ast.Compare(left, [op], [ast.Constant(-NEARLY if below else NEARLY)])
    return None


class _Put(ast.NodeTransformer):
    def __init__(self, target: ast.AST, new: ast.expr) -> None:
        self.target, self.new = target, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.target else super().generic_visit(node)


def _listed(source: str, name: str, promises: tuple[Promise, ...]) -> Iterator[tuple[str, str, str]]:
    """What the assignment lists: errors swallowed under one condition, and texts replaced."""
    for promise in promises:
        if promise.exercise != name:
            continue
        for condition in promise.swallowed:
            (signature, *_) = [s for s in signatures(source, name) if s.owner != "__init__"]
            condition = re.sub(r"\bpair\(", "breaking.pair(", condition)
            given = f"lambda {', '.join(signature.arguments)}: {condition}"
            tree = code(definition(source, name))
            text = _with_decorator(tree, signature.owner, f"raises_nothing({given})")
            yield f"the error → swallowed where {condition}".replace("breaking.", ""), text, "raises"
        for old, new in promise.broken:
            whole = definition(source, name)
            if (count := whole.count(old)) != 1:
                raise CourseError(f"{name}: {old!r}, which a promise replaces, stands {count} times in it, not once.")
            before, after = (" ".join(text.split()) for text in (old, new))
            yield f"{before} → {after}", ast.unparse(code(whole.replace(old, new))), promise.sentence


def _with_decorator(tree: ast.Module, owner: str, decorator: str) -> str:
    """The definition with a decorator on its function, or on one method of its class."""
    changed = copy.deepcopy(tree)
    (target,) = changed.body
    if owner:
        assert isinstance(target, ast.ClassDef)
        target = next(node for node in target.body if isinstance(node, ast.FunctionDef) and node.name == owner)
    assert isinstance(target, ast.FunctionDef)
    target.decorator_list.append(ast.parse(f"breaking.{decorator}", mode="eval").body)
    return f"import breaking\n\n{ast.unparse(changed)}"


@cache
def signatures(source: str, name: str) -> list[Signature]:
    """That of a function; of a class those of ``__init__`` and ``forward``."""
    tree = ast.parse(source)
    aliases = {
        target.id: ast.unparse(node.value)
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    top = next(n for n in tree.body if isinstance(n, ast.FunctionDef | ast.ClassDef) and n.name == name)
    if isinstance(top, ast.FunctionDef):
        return [_signature(top, "", aliases)]
    methods = [node for node in top.body if isinstance(node, ast.FunctionDef)]
    return [_signature(method, method.name, aliases) for method in methods if method.name in ("__init__", "forward")]


def _signature(function: ast.FunctionDef, owner: str, aliases: dict[str, str]) -> Signature:
    arguments = function.args
    plain, named = [*arguments.posonlyargs, *arguments.args], arguments.kwonlyargs
    plain = plain[1:] if owner else plain  # without self or ctx
    defaults = [
        *zip(plain[len(plain) - len(arguments.defaults) :], arguments.defaults, strict=True),
        *((arg, default) for arg, default in zip(named, arguments.kw_defaults, strict=True) if default),
    ]
    return Signature(
        owner,
        {arg.arg: _expanded(arg.annotation, aliases) for arg in (*plain, *named)},
        _expanded(function.returns, aliases),
        {arg.arg: ast.unparse(default) for arg, default in defaults},
    )


def _expanded(annotation: ast.expr | None, aliases: dict[str, str]) -> str:
    text = ast.unparse(annotation) if annotation else ""
    for _ in range(2):  # an alias may name another
        text = re.sub(r"\b[A-Z]\w*\b", lambda word: aliases.get(word[0], word[0]), text)
    return text


def _is_array(annotation: str) -> bool:
    return bool(re.search(r"ndarray|Tensor", annotation)) and not re.search(r"Callable|Iterable", annotation)


def _is_module(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("np", "torch")
