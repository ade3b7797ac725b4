import { doing } from "../../../platform/console/parts/actions.tsx";
import { useState } from "react";
import { deleteAction } from "../../../platform/console/calls/record-acts.ts";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { ListPage } from "../../../platform/console/list/list.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import type { Sent } from "../../../platform/kernel/call.ts";
import { addTemplate, editTemplate, listTemplates, removeTemplate } from "./template.contract.ts";
import { variablesText } from "./template.rules.ts";

type Template = Row<typeof listTemplates>;
type Typed = Sent<typeof editTemplate>["body"];

const FIELDS: readonly Field<Typed>[] = [
  "name",
  { key: "event", help: "通用的模板可以手工推送，其他的用于自动提醒" },
  "channel",
  {
    key: "outsideId",
    when: (v) => v.channel === "sms",
    help: "短信服务商审核通过的模板编号；没有接入服务商时留空",
  },
  { key: "title", when: (v) => v.channel !== "sms" },
  {
    key: "body",
    input: (p) => <TextInput {...p} rows={5} max={1000} />,
    help: (v) => `可用变量：${variablesText(v.event)}`,
  },
];

/** 消息模板: the texts that staff send to customers, with gaps for what differs. */
export default function TemplatesPanel() {
  const [open, setOpen] = useState<Template | "add">();
  const close = () => setOpen(undefined);
  return (
    <>
      <ListPage
        call={listTemplates}
        unit="个"
        filters={["event", "channel", "state", "keyword"]}
        columns={[
          { key: "name", width: 150 },
          "event",
          "channel",
          { key: "body", width: 320 },
          { key: "outsideId", hidden: true },
          "state",
          "updaterName",
          "updatedAt",
        ]}
        card={{ title: "name", right: "state", lines: [["body"], ["channel", "updatedAt"]] }}
        toolbar={[
          { label: "新增模板", icon: "plus", main: true, does: addTemplate, run: () => setOpen("add") },
        ]}
        rowActions={(row) => [
          { label: "编辑", does: editTemplate, run: () => setOpen(row) },
          {
            label: row.state === "on" ? "停用" : "启用",
            ...doing(
              editTemplate,
              { params: { id: row.id }, body: { ...row, enabled: row.state !== "on" } },
              row.state === "on" ? "已停用" : "已启用",
            ),
          },
          deleteAction(removeTemplate, row, { title: "删除模板", body: `确定删除“${row.name}”吗？` }),
        ]}
        emptyText="常用的通知、催缴文字写成模板，发送时选用"
      />
      {open === "add" && (
        <FormDialog
          call={addTemplate}
          title="新增模板"
          done="模板已保存"
          initial={{ event: "any", channel: "sms" }}
          fields={FIELDS as never}
          onClose={close}
        />
      )}
      {open && open !== "add" && (
        <FormDialog
          call={editTemplate}
          title={`编辑模板 ${open.name}`}
          done="模板已保存"
          params={{ id: open.id }}
          initial={{ ...open, enabled: open.state === "on" }}
          fields={FIELDS}
          onClose={close}
        />
      )}
    </>
  );
}
