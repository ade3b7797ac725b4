import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { addContact, editContact, type listContacts } from "../../party/contact/contact.contract.ts";

type Contact = Reply<typeof listContacts>[number];

const FIELDS = (phone?: string) =>
  [
    "name",
    { key: "phone", ...(phone && { placeholder: `${phone}，不修改请留空` }) },
    "position",
    { key: "email", input: (p: React.ComponentProps<typeof TextInput>) => <TextInput {...p} /> },
    "main",
    { key: "getsBills", help: "对账单发给勾选的联系人" },
  ] as const;

/** 新增联系人 and 编辑联系人. */
export function ContactForm(p: { partyId: number; contact?: Contact | undefined; onClose: () => void }) {
  const { contact } = p;
  if (!contact)
    return (
      <FormDialog
        call={addContact}
        title="新增联系人"
        done="联系人已新增"
        initial={{ partyId: p.partyId }}
        fields={FIELDS()}
        onClose={p.onClose}
      />
    );
  const { phone, ...rest } = contact;
  return (
    <FormDialog
      call={editContact}
      title={`编辑联系人 ${contact.name}`}
      done="联系人已保存"
      params={{ id: contact.id }}
      initial={rest}
      fields={FIELDS(phone)}
      onClose={p.onClose}
    />
  );
}
