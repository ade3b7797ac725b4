import { useQuery } from "@tanstack/react-query";
import { Input } from "antd";
import { useMemo, useState } from "react";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { Tick as Box } from "../../../platform/console/inputs/tick.tsx";
import { found, leavesOf, tickedOf, tickOf, treeOf, type Tick, type Twig } from "./chosen.rules.ts";
import { listFunctions, ownFunctions } from "./function.contract.ts";
import "./function.css";

type Props = { value: readonly string[]; before: readonly string[]; onChange: (keys: string[]) => void };

/** The functions of a role: menus, pages, and what can be done there. What will change stands below before it is saved. */
export function FunctionPicker({ value, before, onChange }: Props) {
  const { data, error, refetch } = useQuery(ask(listFunctions, { query: {} }));
  const { data: own } = useQuery(ask(ownFunctions));
  const [word, setWord] = useState("");
  const [onlyChosen, setOnlyChosen] = useState(false);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const tree = useMemo(() => treeOf(data ?? []), [data]);
  const mine = useMemo(() => new Set((own ?? []).map((f) => f.key)), [own]);
  const chosen = useMemo(() => new Set(tickedOf(tree, value)), [tree, value]);
  const had = useMemo(() => new Set(tickedOf(tree, before)), [tree, before]);
  if (error && !data) return <Broken error={error} retry={refetch} />;
  if (!data || !own) return <RowsSkeleton rows={6} />;

  /** Only the caller's own is given or taken away; the rest stays as the role has it. */
  const why: Why = (leaves) =>
    leaves.some((key) => mine.has(key))
      ? undefined
      : leaves.some((key) => had.has(key))
        ? BEYOND_TAKING
        : BEYOND;
  const toggle = (leaves: readonly string[]) => {
    const free = leaves.filter((key) => mine.has(key));
    const off = free.every((key) => chosen.has(key));
    const next = new Set(chosen);
    for (const key of free)
      if (off) next.delete(key);
      else next.add(key);
    onChange([...next]);
  };
  const flip = (key: string) => {
    const next = new Set(open);
    if (!next.delete(key)) next.add(key);
    setOpen(next);
  };
  const shown = onlyChosen
    ? found(tree, word).filter((t) => leavesOf(t).some((key) => chosen.has(key)))
    : found(tree, word);
  return (
    <div className="picker">
      <div className="picker__bar row wrap fs-13">
        <Input
          aria-label="搜索功能"
          prefix={<Icon name="search" size={14} />}
          placeholder="搜索页面、动作、权限编码"
          allowClear
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
        <Box checked={onlyChosen} onChange={setOnlyChosen}>
          只看已选
        </Box>
        <span className="dim">已选 {chosen.size} 项</span>
      </div>
      <div className="picker__tree">
        {!shown.length && <Empty text="没有匹配的功能" />}
        {shown.map((menu) => {
          const leaves = leavesOf(menu);
          const unfolded = word.trim() !== "" || onlyChosen || open.has(menu.node.key);
          return (
            <section key={menu.node.key}>
              <header className="picker__menu">
                <TickBox
                  tick={tickOf(leaves, chosen)}
                  label={menu.node.name}
                  why={why(leaves)}
                  run={() => toggle(leaves)}
                />
                <button
                  type="button"
                  aria-expanded={unfolded}
                  onClick={() => flip(menu.node.key)}
                  aria-label={`${unfolded ? "收起" : "展开"}${menu.node.name}`}
                >
                  <b>{menu.node.name}</b>
                  <span className="grow" />
                  <small className="dim">
                    {leaves.filter((key) => chosen.has(key)).length} / {leaves.length}
                  </small>
                  <Icon name="down" size={12} className={unfolded ? "fold-on" : ""} />
                </button>
              </header>
              {unfolded && <Pages of={menu} chosen={chosen} had={had} why={why} toggle={toggle} />}
            </section>
          );
        })}
      </div>
      <Changes tree={tree} chosen={chosen} had={had} />
    </div>
  );
}

const BEYOND = "不能授予超出自身的权限";
const BEYOND_TAKING = "不能收回超出自身的权限";

/** Why none of these can be ticked or unticked. */
type Why = (leaves: readonly string[]) => string | undefined;

type PagesProps = {
  of: Twig;
  chosen: ReadonlySet<string>;
  had: ReadonlySet<string>;
  why: Why;
  toggle: (leaves: readonly string[]) => void;
};

/** The pages of a menu, each with its actions and codes in one line. The workbench is menu and page in one. */
function Pages({ of, chosen, had, why, toggle }: PagesProps) {
  const own = of.below.filter((t) => t.node.level === "3");
  const pages = of.below.filter((t) => t.node.level === "2");
  const lines = [...(own.length ? [{ ...of, below: own }] : []), ...pages];
  return (
    <ul>
      {lines.map((page) => {
        const leaves = leavesOf(page);
        return (
          <li key={page.node.key} className="picker__page grid gap-4 fs-13">
            <TickBox
              tick={tickOf(leaves, chosen)}
              label={page.node.name}
              shown
              why={why(leaves)}
              run={() => toggle(leaves)}
            />
            <span className="picker__leaves">
              {page.below.map(({ node }) => {
                const on = chosen.has(node.key);
                const change =
                  on === had.has(node.key) ? "" : on ? "picker__leaf--plus" : "picker__leaf--minus";
                return (
                  <Box
                    key={node.key}
                    className={`picker__leaf ${change}`}
                    why={why([node.key])}
                    label={`${page.node.name} ${node.name}`}
                    checked={on}
                    onChange={() => toggle([node.key])}
                  >
                    {node.name}
                    {node.key.startsWith("#") && <small className="dim">{node.key.slice(1)}</small>}
                  </Box>
                );
              })}
            </span>
          </li>
        );
      })}
    </ul>
  );
}

type TickBoxProps = { tick: Tick; label: string; shown?: boolean; why: string | undefined; run: () => void };

/** Ticked, half ticked, or not. */
const TickBox = ({ tick, label, shown = false, why, run }: TickBoxProps) => (
  <Box
    className="picker__tick"
    label={`${label} 全部`}
    checked={tick === "all"}
    half={tick === "some"}
    why={why}
    onChange={run}
  >
    {shown && <span className="cut">{label}</span>}
  </Box>
);

type ChangesProps = { tree: readonly Twig[]; chosen: ReadonlySet<string>; had: ReadonlySet<string> };

/** Plus and minus against what the role has now. */
function Changes({ tree, chosen, had }: ChangesProps) {
  const names = new Map<string, string>();
  const walk = (twig: Twig, above: string) => {
    names.set(twig.node.key, twig.node.level === "3" ? `${above} ${twig.node.name}` : twig.node.name);
    for (const under of twig.below) walk(under, twig.node.name);
  };
  for (const twig of tree) walk(twig, "");
  const list = (keys: string[]) => keys.map((key) => names.get(key) ?? key).join("、");
  const plus = [...chosen].filter((key) => !had.has(key));
  const minus = [...had].filter((key) => !chosen.has(key));
  if (!plus.length && !minus.length) return <p className="sub">还没有变更</p>;
  return (
    <div className="picker__changes" aria-label="变更">
      {plus.length > 0 && (
        <p className="good">
          + {plus.length} 项：{list(plus)}
        </p>
      )}
      {minus.length > 0 && (
        <p className="bad">
          − {minus.length} 项：{list(minus)}
        </p>
      )}
    </div>
  );
}
