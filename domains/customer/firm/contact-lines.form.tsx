import type { z } from "zod";
import type { FormState } from "../../../platform/console/form/form-state.ts";
import { Lines } from "../../../platform/console/form/lines.tsx";
import type { contactInput } from "../../party/contact/contact.contract.ts";
import { MOST_CONTACTS } from "../../party/contact/contact.rules.ts";

type Contact = z.input<typeof contactInput>;

/** The contacts that a firm is registered with. */
export const ContactLines = <V extends { contacts: Contact[] }>({ form }: { form: FormState<V> }) => (
  <Lines<V, Contact>
    form={form}
    name={"contacts" as keyof V & string}
    heads={["姓名", "电话", "职位", "主联系人", "接收账单"]}
    fields={[
      { key: "name", width: 110 },
      { key: "phone", width: 150 },
      { key: "position", width: 110 },
      { key: "main", width: 76 },
      { key: "getsBills", width: 76 },
    ]}
    blank={{ main: false, getsBills: false }}
    add="添加联系人"
    least={1}
    most={MOST_CONTACTS}
  />
);
