import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { tagRenters } from "./acts.contract.ts";
import { TagInput } from "./tags.panel.tsx";

type Tagged = { id: number; name: string; tags: readonly string[] };

/** 打标签: adds to and takes from everybody picked. */
export function TagsForm({ renters, onClose }: { renters: readonly Tagged[]; onClose: () => void }) {
  const worn = [...new Set(renters.flatMap((r) => r.tags))];
  return (
    <FormDialog
      call={tagRenters}
      title={renters.length === 1 ? `打标签 ${renters[0]!.name}` : `打标签 ${renters.length} 人`}
      done="标签已更新"
      initial={{ ids: renters.map((r) => r.id) }}
      onClose={onClose}
      fields={[
        { key: "add", title: "添加", input: (p) => <TagInput {...p} /> },
        {
          key: "remove",
          title: "移除",
          help: worn.length ? `现有标签：${worn.join("、")}` : "所选租客还没有标签",
          input: (p) => <TagInput {...p} placeholder="要去掉的标签" />,
        },
      ]}
    />
  );
}
