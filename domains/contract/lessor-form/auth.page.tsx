import { Detail } from "../../../platform/console/detail/detail.tsx";
import { Papers } from "../../../platform/console/detail/papers.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { SWITCHED } from "../../../platform/kernel/switched.ts";
import { editLessor, getLessor } from "../lessor/lessor.contract.ts";
import { Authorisation } from "./authorise.panel.tsx";
import { Verification } from "./verify.panel.tsx";

/** Verification and authorisation, below each other where there is no room. */
const SIDE_BY_SIDE = { gridTemplateColumns: "repeat(auto-fit, minmax(min(100%, 360px), 1fr))" };

/** 企业认证: one lessor (?id=), verified by its papers and authorised by its legal person. */
export default function LessorAuthPage() {
  const [address] = useAddress();
  const go = useGo();
  const id = Number(address.get("id")) || undefined;
  if (!id)
    return (
      <section className="card">
        <Empty text="请从合同配置的企业认证中选择企业" />
      </section>
    );
  return (
    <Detail
      call={getLessor}
      sent={{ params: { id } }}
      title={(l) => l.name}
      tags={(l) => <WordTag words={SWITCHED} code={l.state} />}
      facts={[
        "creditCode",
        "kind",
        "legalName",
        "legalCertType",
        "legalCertNo",
        "legalPhone",
        "agentName",
        "agentPhone",
        "createdAt",
        "bankName",
        "bankNo",
        { key: "address", wide: true },
      ]}
      actions={(l) => [
        {
          label: "编辑资料",
          does: editLessor,
          why: l.verifyState === "verifying" ? "企业认证中，暂不能修改；可先撤回认证" : undefined,
          run: () => go("/system/CreateEnterprise", { id: l.id }),
        },
      ]}
      tabs={[
        {
          key: "papers",
          title: "证照",
          view: (l) => <Papers files={[l.licence, l.legalFront, l.legalBack, ...l.others]} />,
        },
      ]}
      log="lessor"
    >
      {(l) => (
        <div className="grid gap-8" style={SIDE_BY_SIDE}>
          <Verification lessor={l} />
          <Authorisation lessor={l} />
        </div>
      )}
    </Detail>
  );
}
