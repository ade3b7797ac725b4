import { useQuery } from "@tanstack/react-query";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { Empty, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { channelWords } from "./channel.contract.ts";
import { MAPPED, type MappedKind, type Mapping } from "./words.rules.ts";

/** What stores, layouts and facilities are called outside; what is left empty goes by its own name. */
export function MappingFields({
  villageIds,
  mapping,
  onChange,
}: {
  villageIds: readonly number[];
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}) {
  const { data } = useQuery({
    ...ask(channelWords, { body: { villageIds: [...villageIds] } }),
    enabled: villageIds.length > 0,
  });
  if (!villageIds.length) return <Empty text="请先在发布规则中选择门店" />;
  if (!data) return <RowsSkeleton rows={6} />;
  const put = (kind: MappedKind, key: string, name: string) =>
    onChange({ ...mapping, [kind]: { ...mapping[kind], [key]: name } });
  return Object.entries(MAPPED).map(([each, [title]]) => {
    const kind = each as MappedKind;
    const words = data[kind];
    const open = words.filter((word) => !mapping[kind]?.[word.key]).length;
    if (!words.length) return null;
    return (
      <section key={kind} className="sync__map">
        <h3>
          {title} {open > 0 && <StatusTag tone="orange">未映射 {open} 项</StatusTag>}
        </h3>
        {words.map((word) => (
          <label key={word.key}>
            <span>{word.name}</span>
            <TextInput
              value={mapping[kind]?.[word.key] ?? ""}
              max={50}
              placeholder="对方的编码或名称"
              onChange={(next) => put(kind, word.key, next ?? "")}
            />
          </label>
        ))}
      </section>
    );
  });
}
