import { useState } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { certificateOf } from "../../../platform/kernel/certificate.ts";
import { Button } from "../../../platform/console/button.tsx";
import { Dialog } from "../../../platform/console/dialog.tsx";
import { ChoiceInput, TextInput } from "../../../platform/console/inputs.tsx";
import { send } from "../../../platform/console/request.ts";
import { linkRenter, lookupRenter } from "../../customer/renter/acts.contract.ts";
import { CERT_TYPES } from "../../customer/renter/words.rules.ts";

type CertType = keyof typeof CERT_TYPES;
type Props = { villageId: number; onFound: (partyId: number) => void; onClose: () => void };

/** By the whole certificate number: the same certificate is the same person, also one that another village registered. */
export function FindRenter({ villageId, onFound, onClose }: Props) {
  const [certType, setCertType] = useState<CertType>("idCard");
  const [certNo, setCertNo] = useState("");
  const [wrong, setWrong] = useState<string>();
  const [found, setFound] = useState<Reply<typeof lookupRenter>>();
  const take = (id: number) => {
    onFound(id);
    onClose();
  };
  const look = async () => {
    const bad = certificateOf(certType)(certNo);
    setWrong(bad);
    if (!bad) setFound(await send(lookupRenter, { body: { certType, certNo } }));
  };
  const link = async () => {
    const { id } = await send(linkRenter, {
      params: { id: found!.id! },
      body: { villageId, certType, certNo },
    });
    take(id);
  };
  return (
    <Dialog
      title="按证件查找租客"
      onClose={onClose}
      footer={
        <>
          <Button run={onClose}>取消</Button>
          <Button look="main" run={look}>
            查找
          </Button>
        </>
      }
    >
      <div className="form">
        <div className="fi">
          <label className="fi__label fi__label--must" htmlFor="find-type">
            证件类型
          </label>
          <ChoiceInput
            id="find-type"
            value={certType}
            onChange={(code) => setCertType((code ?? "idCard") as CertType)}
            words={CERT_TYPES}
          />
        </div>
        <div className={`fi ${wrong ? "fi--bad" : ""}`}>
          <label className="fi__label fi__label--must" htmlFor="find-no">
            证件号
          </label>
          <TextInput id="find-no" value={certNo} onChange={(text) => setCertNo(text ?? "")} max={18} />
          {wrong && <p className="fi__msg">{wrong}</p>}
        </div>
        {found?.found === "none" && <p className="asked">没有登记过该证件，请新建租客</p>}
        {found?.found === "here" && (
          <p className="row">
            已登记：{found.maskedName}
            <Button size="sm" run={() => take(found.id!)}>
              选用
            </Button>
          </p>
        )}
        {found?.found === "elsewhere" && (
          <p className="row">
            {found.maskedName} 已在其他门店登记
            <Button size="sm" run={link}>
              关联到本门店并选用
            </Button>
          </p>
        )}
      </div>
    </Dialog>
  );
}
