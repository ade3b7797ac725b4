import { FormDrawer, FormDialog, type Body } from "../../../platform/console/form/form-drawer.tsx";
import { Lines } from "../../../platform/console/form/lines.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { yuan } from "../../../platform/kernel/fen.ts";
import { followRenewal, type RenewalRow, sendOffer } from "./renewal.contract.ts";
import { MOST_CHOICES } from "./renewal.rules.ts";

export type OfferSent = Reply<typeof sendOffer>;
type Choice = Body<typeof sendOffer>["choices"][number];

/** Up to three terms with their rents go to the tenant as a one-time link. */
export function OfferForm({
  of,
  onSent,
  onClose,
}: {
  of: RenewalRow;
  onSent: (sent: OfferSent) => void;
  onClose: () => void;
}) {
  return (
    <FormDrawer
      call={sendOffer}
      title={`发送续租方案 ${of.contractNo}`}
      ok="发送"
      done="续租方案已发送"
      onDone={onSent}
      onClose={onClose}
      width={640}
      initial={{ contractId: of.id, choices: [{ months: 12, monthlyRent: of.rent }] }}
      fields={(_, form) => [
        {
          show: () => (
            <p className="sub">
              {of.partyName} {of.roomNames}，{of.endDate} 到期，现月租 {yuan(of.rent)}
              。租客在手机上打开链接，选择一个方案后直接签署，或答复不续租。
            </p>
          ),
        },
        {
          show: () => (
            <Lines<Body<typeof sendOffer>, Choice>
              form={form}
              name="choices"
              heads={["租期（月）", "月租金"]}
              fields={[{ key: "months", width: 160 }, "monthlyRent"]}
              blank={{ months: 6, monthlyRent: of.rent }}
              add="添加方案"
              least={1}
              most={MOST_CHOICES}
            />
          ),
        },
      ]}
    />
  );
}

/** 跟进: what the tenant said, and when to ask again. */
export const FollowForm = ({
  of,
  intent,
  onClose,
}: {
  of: RenewalRow;
  intent?: Body<typeof followRenewal>["intent"] | undefined;
  onClose: () => void;
}) => (
  <FormDialog
    call={followRenewal}
    title={`续租跟进 ${of.contractNo}`}
    ok="保存"
    done="已登记跟进"
    params={{ id: of.id }}
    initial={{ ...(intent && { intent }), ...(!intent && of.intent !== "none" && { intent: of.intent }) }}
    onClose={onClose}
    fields={["intent", { key: "note", placeholder: "如：想续一年，希望租金不变" }, "nextOn"]}
  />
);
