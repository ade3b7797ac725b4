import type { Block, Paper } from "../../system/paper/block.rules.ts";
import { maskPhone } from "../../../platform/kernel/texts/mask.ts";
import { ROLES, type SignerRole } from "../config/sign.rules.ts";
import { nounOf, type SignedKind } from "./esign.rules.ts";

/** What stands on the last page of a signed contract. Moments are written in the deployment's zone. */
export type Proof = {
  /** Of the contract, or of the act. */
  number: string;
  of: SignedKind;
  flowNo: string;
  title: string;
  documentHash: string;
  pages: number;
  startedAt: string;
  startedBy: string;
  signers: readonly {
    role: SignerRole;
    name: string;
    phone: string;
    openedAt: string;
    signedAt: string;
    ip: string;
    device: string;
    smsNo: string;
    consent: string;
    handwritten: boolean;
  }[];
  seal: { name: string; lessor: string; operator: string; at: string };
  certificate: { subject: string; fingerprint: string };
};

/** The page that proves who signed what, when and on which device. Phones come masked. */
export function proofPaper(p: Proof): Paper {
  const blocks: Block[] = [
    { kind: "title", text: "电子签署证明" },
    {
      kind: "pairs",
      pairs: [
        [`${nounOf(p.of)}编号`, p.number],
        ["文件", `${p.title}，共 ${p.pages} 页`],
        ["签署编号", p.flowNo],
        ["发起", `${p.startedAt} ${p.startedBy}`],
      ],
    },
    { kind: "text", text: `待签文件 SHA-256：${p.documentHash}` },
    {
      kind: "note",
      text: "本文件开头至该摘要对应的字节与签署人确认的文件逐字节一致，证明页和签章附加在其后。",
    },
  ];
  for (const s of p.signers)
    blocks.push(
      { kind: "heading", text: `${ROLES[s.role][0]}：${s.name}` },
      {
        kind: "pairs",
        pairs: [
          ["手机号", maskPhone(s.phone)],
          ["短信编号", s.smsNo],
          ["打开时间", s.openedAt],
          ["签署时间", s.signedAt],
          ["IP 地址", s.ip],
          ["手写签名", s.handwritten ? "有" : "无"],
          ["电子签署约定", `${s.consent} 版`],
        ],
      },
      { kind: "text", text: `设备：${s.device}` },
    );
  blocks.push(
    { kind: "heading", text: `出租方：${p.seal.lessor}` },
    {
      kind: "pairs",
      pairs: [
        ["印章", p.seal.name],
        ["盖章", p.seal.operator],
        ["盖章时间", p.seal.at],
      ],
    },
    { kind: "text", text: `签名证书：${p.certificate.subject}` },
    { kind: "text", text: `证书指纹 SHA-256：${p.certificate.fingerprint}` },
    {
      kind: "note",
      text: "整份文件以 PDF 数字签名（PKCS#7，SHA-256）封存，任何改动都会使签名失效。内置签名证书由系统自行签发，不是第三方电子认证机构颁发的证书。",
    },
  );
  return { blocks, foot: [`${p.number}　签署 ${p.flowNo}`, ""], mark: "" };
}
