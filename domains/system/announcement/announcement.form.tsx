import { useQuery } from "@tanstack/react-query";
import { DatePicker } from "antd";
import dayjs, { type Dayjs } from "dayjs";
import { timeInZone } from "../../../platform/kernel/day.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { FormDrawer, type Body } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import { ManySelect, TextInput, type InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { VillagesSelect } from "../../../platform/console/inputs/selects.tsx";
import { Broken, RowsSkeleton } from "../../../platform/console/parts/states.tsx";
import { PapersInput } from "../../../platform/console/files/papers-input.tsx";
import { UPLOADS } from "../file/file.contract.ts";
import {
  addAnnouncement,
  audienceDepartments,
  editAnnouncement,
  getAnnouncement,
} from "./announcement.contract.ts";
import { AnnouncementText } from "./announcement.panel.tsx";
import { cleaned } from "./announcement.rules.ts";

type Known = Reply<typeof getAnnouncement>;
const HELP = "**加粗**，行首“- ”为列表，[文字](https://…) 为链接；粘贴的网页只保留这些";

const MomentInput = ({ value, onChange, onBlur, id, disabled, placeholder }: InputProps<string>) => (
  <DatePicker
    showTime={{ format: "HH:mm" }}
    format="YYYY-MM-DD HH:mm"
    id={id ?? ""}
    value={value ? dayjs(timeInZone(value)) : null}
    disabled={disabled ?? false}
    placeholder={placeholder ?? "请选择时间"}
    onChange={(d: Dayjs | null) => onChange(d ? `${d.format("YYYY-MM-DDTHH:mm")}:00+08:00` : undefined)}
    {...(onBlur && { onBlur })}
  />
);

function DepartmentsInput(p: InputProps<number[]>) {
  const { data = [], isLoading } = useQuery(ask(audienceDepartments));
  return (
    <ManySelect
      {...p}
      options={data.map((d) => ({ value: d.id, label: d.name }))}
      loading={isLoading}
      placeholder="请选择部门，含下级部门"
    />
  );
}

type Values = Body<typeof addAnnouncement>;

const fieldsOf = (known?: Known): Field<Values>[] => [
  "title",
  "audience",
  {
    key: "villageIds",
    when: (v) => v.audience === "villages",
    must: true,
    input: ({ value, onChange }) => (
      <VillagesSelect value={value ?? []} onChange={onChange} width={320} placeholder="请选择门店" />
    ),
  },
  {
    key: "departmentIds",
    when: (v) => v.audience === "departments",
    must: true,
    input: (p) => <DepartmentsInput {...p} />,
  },
  { key: "content", help: HELP, input: (p) => <TextInput {...p} rows={8} max={5000} /> },
  {
    when: (v) => !!v.content?.trim(),
    show: (v) => (
      <section className="notice__preview" aria-label="预览">
        <small className="dim">预览</small>
        <AnnouncementText text={cleaned(v.content ?? "")} />
      </section>
    ),
  },
  { key: "publishAt", placeholder: "不填则立即发布", input: (p) => <MomentInput {...p} /> },
  { key: "expireAt", placeholder: "不填则一直有效", input: (p) => <MomentInput {...p} /> },
  "pinned",
  { key: "mustConfirm", help: "员工登录后弹出，点“我已知悉”为止" },
  {
    key: "fileIds",
    input: (p) => <PapersInput {...p} call={UPLOADS.paper10M} known={known?.files} maxFiles={5} />,
  },
];

const SHARED = { width: 720, label: 88 };

function EditForm({ known, onClose }: { known: Known; onClose: () => void }) {
  const published = known.state !== "draft";
  const initial = {
    title: known.title,
    audience: known.audience,
    villageIds: known.villageIds,
    departmentIds: known.departmentIds,
    content: known.content,
    publishAt: known.publishAt,
    expireAt: known.expireAt,
    pinned: known.pinned,
    mustConfirm: known.mustConfirm,
    fileIds: known.files.map((file) => file.id),
    state: "published" as const,
    version: known.version,
    resetRead: false,
  };
  const last: Field<Body<typeof editAnnouncement>>[] = published
    ? [{ key: "resetRead", title: "重置已读", help: "重置已读状态？选“是”则重新通知，所有人须重新阅读" }]
    : ["state"];
  return (
    <FormDrawer
      {...SHARED}
      call={editAnnouncement}
      params={{ id: known.id }}
      title="编辑公告"
      done="公告已保存"
      initial={initial}
      onClose={onClose}
      fields={[...(fieldsOf(known) as Field<Body<typeof editAnnouncement>>[]), ...last]}
    />
  );
}

export function AnnouncementForm({ id, onClose }: { id?: number; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    ...ask(getAnnouncement, { params: { id: id ?? 0 } }),
    enabled: id !== undefined,
    // what is edited is what stands now
    staleTime: 0,
    gcTime: 0,
  });
  if (id !== undefined)
    return data ? (
      <EditForm known={data} onClose={onClose} />
    ) : (
      <Drawer title="编辑公告" width={SHARED.width} modal onClose={onClose}>
        {error ? <Broken error={error} retry={refetch} /> : <RowsSkeleton rows={6} />}
      </Drawer>
    );
  return (
    <FormDrawer
      {...SHARED}
      call={addAnnouncement}
      title="新增公告"
      done="公告已保存"
      initial={{ audience: "all", pinned: false, mustConfirm: false, state: "published" }}
      onClose={onClose}
      fields={[...fieldsOf(), "state"]}
    />
  );
}
