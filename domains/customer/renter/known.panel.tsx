import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { certificateOf } from "../../../platform/kernel/texts/certificate.ts";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { useSettled } from "../../../platform/console/form/settled.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { may } from "../../../platform/console/session/permits.ts";
import { ask, send } from "../../../platform/console/calls/request.ts";
import { checkBlackList } from "../blacklist/blacklist.contract.ts";
import { linkRenter, lookupRenter } from "./acts.contract.ts";
import { type CERT_TYPES } from "./words.rules.ts";
import { BLACK } from "../blacklist/blacklist.rules.ts";

type CertType = keyof typeof CERT_TYPES;
type Typed = {
  certType?: CertType | null | undefined;
  certNo?: string | null | undefined;
  phone?: string | undefined;
  homeVillageId?: number | undefined;
};

const whole = (type: CertType | null | undefined, number: string): string | undefined =>
  type && number && !certificateOf(type)(number) ? number : undefined;

/** The enterprise has one record per person: a number that is known offers the link instead of a second record. */
export function KnownRenter({
  typed,
  self,
  picking,
  onLinked,
}: {
  typed: Typed;
  /** The record being edited knows itself. */
  self: number | undefined;
  /** The form stands over one in which somebody is being chosen: who is found is taken, not opened. */
  picking: boolean;
  onLinked: (id: number) => void;
}) {
  const act = useAct();
  const { certType, homeVillageId } = typed;
  const certNo = whole(certType, useSettled(typed.certNo?.trim() ?? ""));
  const sent = { certType: certType ?? "idCard", certNo: certNo ?? "" };
  const { data } = useQuery({
    queryKey: [lookupRenter.path, sent],
    queryFn: ({ signal }) => send(lookupRenter, { body: sent }, { signal }),
    enabled: certNo !== undefined,
    retry: false,
  });
  if (!certNo || !data || data.found === "none" || data.id === null || data.id === self) return null;
  const id = data.id;
  if (data.found === "here")
    return (
      <p className="notice s-orange" role="alert">
        <span className="grow">该证件号已登记：{data.maskedName}</span>
        {picking ? (
          <Button size="sm" run={() => onLinked(id)}>
            选用
          </Button>
        ) : (
          <Link to={pathTo("/configuration/RenterManage", { id })} onClick={() => onLinked(id)}>
            打开该租客
          </Link>
        )}
      </p>
    );
  return (
    <div className="notice s-orange" role="alert">
      <span className="grow">该证件号已登记：{data.maskedName}，是否关联到本门店？</span>
      {may(linkRenter.needs) && (
        <Button
          size="sm"
          why={homeVillageId ? undefined : "请先选择登记门店"}
          run={async () => {
            await act(
              linkRenter,
              { params: { id }, body: { villageId: homeVillageId!, ...sent } },
              { done: "已关联到本门店" },
            );
            onLinked(id);
          }}
        >
          关联到本门店
        </Button>
      )}
    </div>
  );
}

/** The red bar: certificate or phone stands on the black list. */
export function BlackBar({ typed }: { typed: Typed }) {
  const certNo = whole(typed.certType, useSettled(typed.certNo?.trim() ?? ""));
  const digits = useSettled(typed.phone?.trim() ?? "");
  const phone = /^\d{11}$/.test(digits) ? digits : undefined;
  const { data } = useQuery({
    ...ask(checkBlackList, { query: { ...(certNo && { certNo }), ...(phone && { phone }) } }),
    enabled: Boolean(certNo ?? phone),
    retry: false,
  });
  if (!(certNo ?? phone) || !data || data.level === "none") return null;
  return <Black level={data.level} reason={data.reason} />;
}

export const Black = ({ level, reason }: { level: keyof typeof BLACK; reason: string | null }) => (
  <p className={`notice s-${BLACK[level][1]}`} role="alert">
    <b>黑名单 · {BLACK[level][0]}</b>
    <span className="grow">{reason || "未填写原因"}</span>
  </p>
);
