import type { Reply, Sent } from "../../../platform/kernel/call.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { DicsInput } from "../../../platform/console/inputs/dic.tsx";
import { InstantInput } from "../../../platform/console/inputs/days.tsx";
import { FormDrawer } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { ChoiceInput, ManyInput, TextInput } from "../../../platform/console/inputs/inputs.tsx";
import { useAddress } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { send } from "../../../platform/console/calls/request.ts";
import { RecordSelect, VillagesInput } from "../../../platform/console/inputs/selects.tsx";
import type { Source } from "../../../platform/kernel/filter.ts";
import { listTemplates } from "../../system/template/template.contract.ts";
import { beginning, CHANNELS, variablesText } from "../../system/template/template.rules.ts";
import { addPush, editPush, type getPush, testPush } from "./push.contract.ts";
import { Preview } from "./preview.panel.tsx";
import { BuildingsInput, PeopleInput } from "./people.form.tsx";
import { KINDS, STAGES, type PartyKind } from "./push.rules.ts";

type Push = Reply<typeof getPush>;
type Typed = Sent<typeof addPush>["body"];

const TEMPLATES: Source = {
  call: listTemplates,
  query: { state: "on", event: "any" },
  option: (t: { id: number; name: string; body: string }) => ({
    value: t.id,
    label: t.name,
    note: beginning(t.body),
  }),
};

type Set = (path: string, value: unknown) => void;

/** The text of a template that was picked. */
const bodyOf = async (id: number): Promise<string | undefined> =>
  (await send(listTemplates, { query: { ids: String(id), want: "rows" } as never })).list[0]?.body;

/** To the own phone, before anybody else reads it. */
function Test({ values: v }: { values: Partial<Typed> }) {
  const act = useAct();
  const ready = v.title && v.category && v.body;
  return (
    <Button
      why={ready ? undefined : "请先填写标题、类别和内容"}
      run={async () => {
        const { title, category, body, templateId } = v as Typed;
        await act(testPush, { body: { title, category, body, templateId } }, { done: "已发送到本人手机" });
      }}
    >
      发给本人测试
    </Button>
  );
}

const fields = (set: Set): readonly Field<Typed>[] => [
  { section: "1 对象" },
  {
    key: "kind",
    input: (p) => (
      <ChoiceInput
        {...p}
        words={KINDS}
        onChange={(kind) => {
          p.onChange(kind as PartyKind);
          // whoever was named is of the kind before
          set("ids", []);
          set("exclude", []);
          // firms are not asked for by tags here
          set("tags", []);
        }}
      />
    ),
  },
  { key: "villageIds", input: (p) => <VillagesInput {...p} /> },
  { key: "stages", input: (p) => <ManyInput {...p} words={STAGES} onChange={p.onChange as never} /> },
  {
    key: "tags",
    when: (v) => v.kind === "renter",
    input: (p) => <DicsInput {...p} kind="customer" group="tag" placeholder="不限" />,
  },
  "arrears",
  { key: "expiringWithin", unit: "天内", placeholder: "不限" },
  {
    key: "buildingIds",
    wide: true,
    input: (p, v) => <BuildingsInput {...p} villageIds={v.villageIds ?? []} />,
  },
  {
    key: "ids",
    wide: true,
    input: (p, v) => (
      <PeopleInput {...p} kind={v.kind ?? "renter"} placeholder="不选为符合条件的全部，可搜索姓名、手机号" />
    ),
  },
  {
    key: "exclude",
    wide: true,
    input: (p, v) => <PeopleInput {...p} kind={v.kind ?? "renter"} placeholder="以下客户不发送" />,
  },
  { section: "2 内容" },
  "title",
  "category",
  {
    key: "channels",
    wide: true,
    input: (p) => <ManyInput {...p} words={CHANNELS} onChange={p.onChange as never} />,
  },
  {
    key: "templateId",
    input: (p) => (
      <RecordSelect
        {...p}
        source={TEMPLATES}
        placeholder="不使用模板"
        onChange={(id) => {
          p.onChange(id);
          if (id !== undefined) void bodyOf(id).then((body) => body && set("body", body));
        }}
      />
    ),
    when: () => may(["251.query", "18.add", "18.edit"]),
  },
  {
    key: "body",
    wide: true,
    help: `可用变量：${variablesText()}`,
    input: (p) => <TextInput {...p} rows={4} max={1000} />,
  },
  { section: "3 发送", note: "不填时间为提交后立即发送" },
  { key: "at", input: (p) => <InstantInput {...p} ahead placeholder="立即" /> },
  { show: (v) => <Preview values={v} /> },
  { show: (v) => <Test values={v} /> },
];

/** Whom another page has chosen, with the stores where they are known. */
export type Chosen = { kind: PartyKind; ids: number[]; villageIds: number[] };

/** 新增推送, 编辑 of a draft, or a copy of another task. */
export function PushForm({
  push,
  copy,
  to,
  onMade,
  onClose,
}: {
  push?: Push;
  copy?: boolean;
  to?: Chosen;
  /** Left out, the list opens the new task. */
  onMade?: (id: number) => void;
  onClose: () => void;
}) {
  const [, set] = useAddress();
  const shape = { cols: 2, width: 860, ok: "保存草稿", onClose } as const;
  const start = push && {
    ...push.audience,
    title: push.title,
    category: push.category,
    channels: push.channels,
    templateId: push.templateId,
    body: push.body,
  };
  return push && !copy ? (
    <FormDrawer
      {...shape}
      call={editPush}
      title={`编辑推送 ${push.number}`}
      done="推送已保存"
      params={{ id: push.id }}
      initial={{ ...start, at: push.at, version: push.version }}
      fields={fields as never}
    />
  ) : (
    <FormDrawer
      {...shape}
      call={addPush}
      title={copy ? "复制推送" : "新增推送"}
      done="已存为草稿，提交后发送"
      initial={
        start ?? {
          category: "notice",
          channels: ["sms"],
          ...(to ?? { kind: "renter" as const, stages: ["living" as const] }),
        }
      }
      fields={fields}
      onDone={({ id }) => (onMade ? onMade(id) : set({ id }))}
    />
  );
}
