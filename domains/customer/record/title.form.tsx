import type { Reply } from "../../../platform/kernel/call.ts";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { addTitle, editTitle, type listTitles } from "../../party/title/title.contract.ts";

type Title = Reply<typeof listTitles>[number];
type Whose = { id: number; name: string; creditCode?: string | null };

const FIELDS = [
  "kind",
  "title",
  { key: "taxNo", when: (v: { kind?: string }) => v.kind === "company", must: true },
  { key: "email", input: (p: React.ComponentProps<typeof TextInput>) => <TextInput {...p} /> },
  { section: "专用发票", note: "开具增值税专用发票时填写" },
  { key: "address", input: (p: React.ComponentProps<typeof TextInput>) => <TextInput {...p} /> },
  "phone",
  "bank",
  "account",
  "isDefault",
] as const;

/** 新增发票抬头 and 编辑发票抬头; name and tax number are proposed from the record. */
export function TitleForm(p: { party: Whose; title?: Title | undefined; onClose: () => void }) {
  const { party, title } = p;
  return title ? (
    <FormDrawer
      call={editTitle}
      title={`编辑抬头 ${title.title}`}
      done="抬头已保存"
      params={{ id: title.id }}
      initial={title}
      fields={FIELDS}
      onClose={p.onClose}
    />
  ) : (
    <FormDrawer
      call={addTitle}
      title="新增发票抬头"
      done="抬头已新增"
      initial={{
        partyId: party.id,
        kind: party.creditCode ? "company" : "person",
        title: party.name,
        taxNo: party.creditCode ?? "",
      }}
      fields={FIELDS}
      onClose={p.onClose}
    />
  );
}
