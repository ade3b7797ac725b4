import { useAct } from "../../../platform/console/calls/mutation.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import type { Source } from "../../../platform/kernel/filter.ts";
import { MergeDrawer, type Merging, useMerging } from "../record/merge.form.tsx";
import { MERGEABLE, type Mergeable, mergeRenters, tagRenters } from "../renter/acts.contract.ts";
import { getRenter, listRenters } from "../renter/renter.contract.ts";
import { TagInput } from "../renter/tags.panel.tsx";
import { CERT_TYPES, GENDERS } from "../renter/words.rules.ts";

type Renter = Reply<typeof getRenter>;

const RENTERS: Source = {
  call: listRenters,
  option: ((r: Row<typeof listRenters>) => ({
    value: r.id,
    label: `${r.name} ${r.phone}`,
    note: r.roomName ?? r.homeVillageName,
  })) as Source["option"],
};

const joined = (...parts: (string | null)[]) => parts.filter(Boolean).join(" ");
const valuesOf = (r: Renter): Record<Mergeable, string> => ({
  name: r.name,
  phone: r.phone,
  certificate: joined(r.certType && CERT_TYPES[r.certType][0], r.certNo),
  gender: r.gender ? GENDERS[r.gender][0] : "",
  birthday: r.birthday ?? "",
  email: r.email,
  work: joined(r.occupation, r.employer),
  emergency: joined(r.emergencyName, r.emergencyPhone, r.emergencyRelation),
  guardian: joined(r.guardianName, r.guardianPhone),
  source: r.sourceName,
  remark: r.remark,
});
const read = async (id: number) => {
  const renter = await send(getRenter, { params: { id } });
  return { ...renter, values: valuesOf(renter) };
};

const refusalOf = (keep: Renter, gone: Renter): string | undefined =>
  keep.id === gone.id
    ? "请选择两条不同的租客记录"
    : keep.verify === "verified" && gone.verify === "verified" && keep.certNo && gone.certNo !== keep.certNo
      ? "两条记录的证件均已核验且不一致，不能合并"
      : undefined;

/** 合并: two records of one person. */
export function MergeForm(p: Merging) {
  const act = useAct();
  const merging = useMerging({ fields: MERGEABLE, read }, p);
  const { keep, gone } = merging;
  return (
    <MergeDrawer
      title="合并租客"
      merging={merging}
      source={RENTERS}
      placeholder="按姓名、手机号、房间搜索"
      refusal={keep && gone && refusalOf(keep, gone)}
      merge={(body) => act(mergeRenters, { body }, { done: "已合并" })}
    />
  );
}

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
