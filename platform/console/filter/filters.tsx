import { useSlash } from "./slash.ts";
import { memo, useEffect, useRef, useState } from "react";
import { Button } from "../parts/button.tsx";
import { Drawer } from "../parts/drawer.tsx";
import { keysOf, type Filter } from "./filter.ts";
import { FilterInput } from "./filter-input.tsx";
import { Icon } from "../parts/icons.tsx";
import { usePhone } from "./stored-choice.ts";
import type { Patch } from "../screens/page.ts";

type Props = { filters: readonly Filter[]; params: URLSearchParams; set: (patch: Patch) => void };

const LINE = 4;

/** One line: the four most used, the rest behind 展开. A choice acts at once, words on Enter or 查询. */
export const Filters = memo(function Filters({ filters, params, set }: Props) {
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const form = useRef<HTMLFormElement>(null);
  const phone = usePhone();
  const word = filters.find((f) => f.kind === "keyword");
  const first = filters.slice(0, LINE);
  const line = word && !first.includes(word) ? [...first.slice(0, LINE - 1), word] : first;
  const rest = filters.filter((f) => !line.includes(f));
  // the widest field stands last
  const shown = [...line.filter((f) => f !== word), ...(open ? rest : []), ...(word ? [word] : [])];
  const apply = (patch: Patch) => set({ ...patch, pageNo: undefined });
  useEffect(() => setTyped((before) => (Object.keys(before).length ? {} : before)), [params]);
  useSlash(form, ".layer", ".filters__kw input");
  const one = (f: Filter) => (
    <FilterInput
      key={keysOf(f)[0]}
      f={f}
      params={params}
      typed={typed}
      type={(k, v) => setTyped({ ...typed, [k]: v })}
      apply={apply}
    />
  );
  const reset = () => {
    setTyped({});
    apply(Object.fromEntries(filters.flatMap(keysOf).map((k) => [k, undefined])));
  };
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    apply(typed);
    if (phone) setOpen(false);
  };
  if (phone) {
    const others = filters.filter((f) => f !== word);
    const count = others.filter((f) => keysOf(f).some((k) => params.get(k))).length;
    return (
      <form ref={form} className="filters" role="search" onSubmit={submit}>
        {word && one(word)}
        {others.length > 0 && (
          <Button icon="filter" run={() => setOpen(true)}>
            筛选{count > 0 && ` ${count}`}
          </Button>
        )}
        {open && (
          <Drawer
            title="筛选"
            width={360}
            modal
            onClose={() => setOpen(false)}
            footer={<Doing reset={reset} done={() => setOpen(false)} apply={() => apply(typed)} />}
          >
            <div className="filters filters--all">{others.map(one)}</div>
          </Drawer>
        )}
      </form>
    );
  }
  return (
    <form ref={form} className="filters" role="search" onSubmit={submit}>
      {shown.map(one)}
      <span className="row filters__do">
        <Button type="submit">查询</Button>
        <Button look="text" run={reset}>
          重置
        </Button>
        {rest.length > 0 && (
          <Button look="text" run={() => setOpen(!open)}>
            {open ? "收起" : "展开"}
            <Icon name="down" size={12} className={open ? "fold-on" : ""} />
          </Button>
        )}
      </span>
    </form>
  );
});

const Doing = ({ reset, apply, done }: { reset: () => void; apply: () => void; done: () => void }) => (
  <>
    <Button
      look="main"
      run={() => {
        apply();
        done();
      }}
    >
      查询
    </Button>
    <Button run={reset}>重置</Button>
  </>
);
