import { addDays } from "../../../platform/kernel/day.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { PapersInput } from "../../../platform/console/files/papers-input.tsx";
import { type Body, FormDialog, RecordForm } from "../../../platform/console/form/form-drawer.tsx";
import type { Field } from "../../../platform/console/form/form-field.tsx";
import type { InputProps } from "../../../platform/console/inputs/inputs.tsx";
import { FoundMany, RecordSelect, VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import type { Row } from "../../../platform/console/list/list-schema.ts";
import { toast } from "../../../platform/console/parts/toast.ts";
import { useAddress, useOneVillage } from "../../../platform/console/screens/page.ts";
import { useToday } from "../../../platform/console/session/operator.ts";
import { addMonths } from "../../../platform/kernel/day.ts";
import { PEOPLE } from "../../access/operator/operator.contract.ts";
import { PRODUCTS } from "../../listing/product/product.contract.ts";
import { roomsFor } from "../../listing/room/options.contract.ts";
import { UPLOADS } from "../../system/file/file.contract.ts";
import {
  addApplication,
  approveApplication,
  assignApplications,
  editApplication,
  type getApplication,
  holdApplication,
  type listApplications,
  rejectApplications,
} from "../lease-application/application.contract.ts";
import { HOLD_DAYS, MOST_DOCUMENTS, MOST_ROOMS } from "../lease-application/application.rules.ts";

export type ApplicationRow = Row<typeof listApplications>;
type Typed = Body<typeof addApplication>;

/** Rooms of a store; one that is taken within the wanted term says so. */
function RoomsInput({
  of: { villageId, wantStart: from, wantMonths },
  ...p
}: InputProps<number[]> & { of: Partial<Pick<Typed, "villageId" | "wantStart" | "wantMonths">> }) {
  const term = from && { from, to: addDays(addMonths(from, wantMonths ?? 12), -1) };
  return (
    <FoundMany
      {...p}
      source={roomsFor({ villageId, ...term })}
      most={MOST_ROOMS}
      disabled={p.disabled || villageId === undefined}
      placeholder={villageId === undefined ? "请先选择门店" : "门牌或楼栋"}
    />
  );
}

const isFirm = (v: Partial<Typed>) => v.partyType === "company" || v.partyType === "merchant";
const isPerson = (v: Partial<Typed>) => !isFirm(v);

const FIELDS = (masked?: { phone: string; certNo: string | null }): readonly Field<Typed>[] => [
  { section: "申请人" },
  { key: "partyType" },
  { key: "name", title: "姓名", placeholder: "个人姓名，或企业、商户的联系人" },
  { key: "firmName", when: isFirm, must: true, placeholder: "营业执照上的名称" },
  { key: "creditCode", when: isFirm },
  { key: "phone", placeholder: masked?.phone ?? "", must: !masked },
  { key: "certType", when: isPerson },
  { key: "certNo", when: isPerson, placeholder: masked?.certNo ?? "" },
  { section: "租住需求" },
  { key: "villageId", input: (p) => <VillageSelect {...p} /> },
  { key: "wantStart" },
  { key: "wantMonths" },
  { key: "occupants" },
  {
    key: "roomIds",
    wide: true,
    must: true,
    input: (p, v) => <RoomsInput {...p} of={v} />,
    when: (v) => !v.productId,
  },
  {
    key: "productId",
    wide: true,
    when: (v) => !v.roomIds?.length,
    input: (p) => <RecordSelect {...p} source={PRODUCTS} placeholder="不定房间时选择产品" />,
  },
  { key: "budget", title: "预算（每月）" },
  {
    key: "fileIds",
    wide: true,
    input: (p) => (
      <PapersInput
        {...p}
        call={UPLOADS.paper10M}
        maxFiles={MOST_DOCUMENTS}
        hint={`pdf、jpg、png，每个不超过 10M，最多 ${MOST_DOCUMENTS} 个`}
      />
    ),
  },
  { key: "remark", wide: true },
];

/** A request of somebody at the front desk, or one that waits for its review, as it stands. */
export function ApplicationForm({
  application,
  onClose,
}: {
  application?: Reply<typeof getApplication>;
  onClose: () => void;
}) {
  const [, set] = useAddress();
  const one = useOneVillage();
  const {
    phone,
    certNo,
    reviewerId: _,
    contractId: _c,
    leadId: _l,
    reservationId: _r,
    ...known
  } = application ?? ({} as Reply<typeof getApplication>);
  return (
    <RecordForm
      add={addApplication}
      edit={editApplication}
      one="租赁申请"
      record={application && { ...known, creditCode: known.creditCode ?? null, fileIds: [] }}
      {...(!application && {
        initial: { partyType: "renter", roomIds: [], occupants: 1, wantMonths: 12, fileIds: [], ...one },
      })}
      fields={FIELDS(application && { phone, certNo })}
      cols={2}
      width={820}
      onAdded={({ id }) => set({ id, part: undefined })}
      onClose={onClose}
    />
  );
}

type Props = { of: ApplicationRow; onClose: () => void };

export const ApproveForm = ({ of, onClose }: Props) => (
  <FormDialog
    call={approveApplication}
    title={`通过 ${of.name} 的申请`}
    ok="通过"
    done="已通过，并短信通知申请人"
    params={{ id: of.id }}
    initial={{ version: of.version, note: "" }}
    onClose={onClose}
    fields={[
      {
        show: () => (
          <p className="notice s-blue">
            {of.target}，{of.wantStart} 起租 {of.wantMonths} 个月
            {of.roomState === "taken" && "；该房间在此期间已被占用"}
          </p>
        ),
      },
      "note",
    ]}
  />
);

export const HoldForm = ({ of, onClose }: Props) => {
  const today = useToday();
  return (
    <FormDialog
      call={holdApplication}
      title={`保留房间 ${of.target}`}
      ok="保留"
      params={{ id: of.id }}
      initial={{
        version: of.version,
        holdUntil: addDays(today, HOLD_DAYS),
        ...(of.listPrice !== null && { rent: of.listPrice }),
      }}
      onDone={({ number, waiting }) =>
        toast(waiting ? `预订 ${number} 等待审批 ${waiting}` : `已保留，预订 ${number}`)
      }
      onClose={onClose}
      fields={[
        { show: () => <p className="notice s-blue">不收定金，最多保留 {HOLD_DAYS} 天，到期自动释放。</p> },
        "holdUntil",
        "rent",
      ]}
    />
  );
};

type Many = { of: readonly ApplicationRow[]; onClose: () => void };
type Outcome = Reply<typeof assignApplications>;

/** What became of many: those that were left out are named with the first reason. */
function tell({ done, rows }: Outcome): void {
  const left = rows.filter((row) => row.refusal !== null);
  if (!left.length) return toast(`已处理 ${done} 份`);
  toast(`已处理 ${done} 份，${left.length} 份未处理：${left[0]!.applyNo} ${left[0]!.refusal}`, "warning");
}

export const AssignForm = ({ of, onClose }: Many) => (
  <FormDialog
    call={assignApplications}
    title={of.length === 1 ? `指派审核人 ${of[0]!.applyNo}` : `指派审核人 ${of.length} 份申请`}
    ok="指派"
    initial={{ ids: of.map((a) => a.id) }}
    onDone={tell}
    onClose={onClose}
    fields={[
      {
        key: "reviewerId",
        input: (p) => <RecordSelect {...p} source={PEOPLE} placeholder="姓名、手机" />,
      },
    ]}
  />
);

export const RejectManyForm = ({ of, onClose }: Many) => (
  <FormDialog
    call={rejectApplications}
    title={`拒绝 ${of.length} 份申请`}
    ok="拒绝"
    initial={{ ids: of.map((a) => a.id) }}
    onDone={tell}
    onClose={onClose}
    fields={["reason"]}
  />
);
