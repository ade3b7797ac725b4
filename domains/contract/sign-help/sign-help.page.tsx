import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { FormDialog } from "../../../platform/console/form/form-drawer.tsx";
import { VillageSelect } from "../../../platform/console/inputs/selects.tsx";
import { Button } from "../../../platform/console/parts/button.tsx";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { SentLink } from "../../../platform/console/parts/sent-link.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import { reachable } from "../../../platform/console/screens/screen-link.ts";
import { may } from "../../../platform/console/session/permits.ts";
import type { Reply } from "../../../platform/kernel/call.ts";
import { SIGN_ORDERS } from "../config/sign.rules.ts";
import { HELP_TEXTS } from "./help-texts.rules.ts";
import { startTrial } from "../sign-trial/trial.contract.ts";
import { signChecklist } from "./sign-help.contract.ts";
import { CHECK_STATES, CHECKS } from "./sign-help.rules.ts";

/** 电子合同配置帮助: the way to the first electronic contract, with how far this enterprise is. */
export default function SignHelpPage() {
  const [villageId, setVillageId] = useState<number>();
  const [trying, setTrying] = useState(false);
  const [sent, setSent] = useState<Reply<typeof startTrial>>();
  return (
    <div className="stack gap-8 scroll full">
      <Part title="准备情况">
        <div className="row wrap gap-6">
          <VillageSelect value={villageId} onChange={setVillageId} placeholder="全部门店" />
          <span className="dim fs-13">全部就绪后，合同提交签约即可选择电子签署</span>
        </div>
        <Loaded call={signChecklist} sent={{ query: villageId ? { villageId } : {} }} lines={8}>
          {(rows) => (
            <ol className="stack gap-6">
              {rows.map(({ key, state, said }, i) => (
                <li key={key} className="stack gap-1">
                  <div className="row wrap gap-4">
                    <b>
                      {i + 1}. {CHECKS[key].title}
                    </b>
                    <WordTag words={CHECK_STATES} code={state} />
                    <span>{said}</span>
                    <span className="grow" />
                    {CHECKS[key].path ? (
                      <Go path={CHECKS[key].path} title={CHECKS[key].title} />
                    ) : may(startTrial.needs) ? (
                      <Button size="sm" run={() => setTrying(true)}>
                        发起试签
                      </Button>
                    ) : (
                      <span className="dim">无权限</span>
                    )}
                  </div>
                  <p className="sub fs-13">
                    {CHECKS[key].what}
                    <span className="dim">由{CHECKS[key].who}办理。</span>
                  </p>
                </li>
              ))}
            </ol>
          )}
        </Loaded>
      </Part>
      {trying && (
        <FormDialog
          call={startTrial}
          title="发起试签"
          ok="发送"
          done="样张已发送"
          initial={villageId ? { villageId } : {}}
          fields={[{ key: "villageId", input: (p) => <VillageSelect {...p} /> }, "name", "phone"]}
          note={() => "样张会盖该门店的印章，没有合同效力"}
          onDone={setSent}
          onClose={() => setTrying(false)}
        />
      )}
      {sent && <SentLink title="试签链接" sent={sent} onClose={() => setSent(undefined)} />}
      <Part title="签署过程">
        <Lines of={HELP_TEXTS.course} ordered />
        <p className="dim fs-13">
          签署顺序在合同配置的签署设置里选择，提交签约时也可以改；企业先盖章的，盖章后才向客户发送链接。
        </p>
        {Object.entries(COURSES).map(([order, steps]) => (
          <div key={order} className="row wrap gap-4">
            <b>{SIGN_ORDERS[order as keyof typeof COURSES][0]}</b>
            <ol className="row wrap gap-4">
              {steps.map((step, i) => (
                <li key={step} className="row gap-4">
                  {i > 0 && <span className="dim">→</span>}
                  <span className="tag s-blue">{step}</span>
                </li>
              ))}
            </ol>
          </div>
        ))}
      </Part>
      <Listed title="系统自签证书能证明什么" of={HELP_TEXTS.certificate} />
      <Listed title="导入第三方证书" of={HELP_TEXTS.importing} ordered />
      <Listed title="法律提示" of={HELP_TEXTS.legal} />
      <Pairs title="常见问题" of={HELP_TEXTS.questions} />
      <Pairs title="提示与含义" of={HELP_TEXTS.messages} />
    </div>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="card stack gap-6" style={{ padding: "var(--space-8)" }} aria-label={title}>
    <h3>
      <b>{title}</b>
    </h3>
    {children}
  </section>
);

/** Who signs after whom, step by step. */
const COURSES = {
  partyFirst: ["发起签署", "客户签署", "企业盖章", "合同生效"],
  enterpriseFirst: ["发起签署", "企业盖章", "客户签署", "合同生效"],
} as const;

/** The place where a step is done, for who may open it. */
function Go({ path, title }: { path: string; title: string }) {
  const to = reachable(path);
  return to ? (
    <Link to={to} aria-label={`前往${title}`}>
      前往
    </Link>
  ) : (
    <span className="dim">无权限</span>
  );
}

type LinesProps = { of: readonly string[]; ordered?: boolean };

function Lines({ of, ordered }: LinesProps) {
  const List = ordered ? "ol" : "ul";
  return (
    <List className="stack gap-3">
      {of.map((text, i) => (
        <li key={text}>
          {ordered && `${i + 1}. `}
          {text}
        </li>
      ))}
    </List>
  );
}

const Listed = ({ title, ...lines }: LinesProps & { title: string }) => (
  <Part title={title}>
    <Lines {...lines} />
  </Part>
);

const Pairs = ({ title, of }: { title: string; of: readonly (readonly [string, string])[] }) => (
  <Part title={title}>
    <dl className="stack gap-4">
      {of.map(([term, text]) => (
        <div key={term}>
          <dt>
            <b>{term}</b>
          </dt>
          <dd className="sub">{text}</dd>
        </div>
      ))}
    </dl>
  </Part>
);
