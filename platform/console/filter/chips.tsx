import { chipsOf, type Filter } from "./filter.ts";
import { Icon } from "../parts/icons.tsx";
import type { Patch } from "../screens/page.ts";
import { useNamed, useVillageOptions } from "../inputs/source.ts";

const idsOf = (text: string | null) => (text ? text.split(",").map(Number) : []);

type Props = {
  filters: readonly Filter[];
  params: URLSearchParams;
  set: (patch: Patch) => void;
  fresh?: string | undefined;
};

/** What is set, each with its own way out. */
export function Chips({ filters, params, set, fresh }: Props) {
  const ofVillages = filters.filter((f) => f.kind === "village").flatMap((f) => idsOf(params.get(f.key)));
  const villages = useVillageOptions(ofVillages).options;
  const record = filters.find((f) => f.kind === "record" && params.get(f.key));
  const ids = record?.kind === "record" ? (params.get(record.key) ?? "").split(",") : [];
  const names = useNamed(record?.kind === "record" ? record.source : undefined, ids).data ?? [];
  const named = (f: Filter, wanted: readonly string[]) => {
    const known = f.kind === "village" ? villages : names;
    return wanted.map((id) => known.find((o) => String(o.value) === id)?.label ?? id).join("、");
  };
  const chips = chipsOf(filters, params, named);
  if (!chips.length) return null;
  const clear = (keys: readonly string[]) =>
    set({ ...Object.fromEntries(keys.map((k) => [k, undefined])), pageNo: undefined });
  return (
    <div className="chips row wrap fs-12">
      {chips.map((c) => (
        <span key={c.keys[0]} className="chip">
          <span className="cut">
            {c.title}：{c.text}
          </span>
          <button type="button" aria-label={`清除${c.title}`} onClick={() => clear(c.keys)}>
            <Icon name="close" size={12} />
          </button>
        </span>
      ))}
      <button type="button" className="linkish" onClick={() => clear(chips.flatMap((c) => c.keys))}>
        清除全部
      </button>
      {fresh && <span className="chips__fresh">数据截至 {fresh}</span>}
    </div>
  );
}
