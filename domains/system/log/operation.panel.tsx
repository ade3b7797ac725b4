import { Link } from "react-router";
import { timeInZone } from "../../../platform/kernel/day.ts";
import { Detail } from "../../../platform/console/detail/detail.tsx";
import { pathTo } from "../../../platform/console/screens/page.ts";
import { Heads } from "../../../platform/console/parts/heads.tsx";
import { Empty } from "../../../platform/console/parts/states.tsx";
import { WordTag } from "../../../platform/console/parts/tag.tsx";
import type { Reply } from "../../../platform/kernel/call.ts";
import { getOperation, OUTCOME_WORDS } from "./log.contract.ts";
import { addressOf } from "./changes.panel.tsx";
import "../config/config.css";

const ANYBODY: Record<string, string> = { public: "无需登录", login: "登录即可" };
type Operation = Reply<typeof getOperation>;

/** What it was about, as the way there where there is one. */
const Target = ({ of }: { of: Operation }) => {
  const to = addressOf(of.opens, of.targetId);
  return to ? <Link to={to}>{of.target}</Link> : of.target || "—";
};

const Business = ({ lines }: { lines: Operation["business"] }) =>
  lines.length ? (
    <table className="tbl">
      <Heads of={["类型", "编号", "摘要"]} />
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td>{line.kind}</td>
            <td>{line.number}</td>
            <td>{line.summary}</td>
          </tr>
        ))}
      </tbody>
    </table>
  ) : (
    <Empty text="这次请求没有写入业务日志" />
  );

const Nearby = ({ lines }: { lines: Operation["nearby"] }) =>
  lines.length ? (
    <table className="tbl">
      <Heads of={["时间", "动作", "对象", "结果"]} />
      <tbody>
        {lines.map((line) => (
          <tr key={line.id}>
            <td>{timeInZone(line.at)}</td>
            <td>
              <Link to={pathTo("/system/OperationLog", { id: line.id })}>{line.summary}</Link>
            </td>
            <td>{line.target}</td>
            <td>
              <WordTag words={OUTCOME_WORDS} code={line.outcome} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  ) : (
    <Empty text="前后 10 分钟没有其他操作" />
  );

/** One call: what was asked, what was answered, what it did, and what the same person did around it. */
export const OperationDrawer = ({ id }: { id: number }) => (
  <Detail
    call={getOperation}
    sent={{ params: { id } }}
    title={(o) => o.summary}
    tags={(o) => <WordTag words={OUTCOME_WORDS} code={o.outcome} />}
    facts={[
      { key: "at", show: (o) => timeInZone(o.at) },
      "operatorName",
      "functionName",
      { key: "target", show: (o) => <Target of={o} /> },
      { key: "permit", show: (o) => ANYBODY[o.permit] ?? o.permit },
      "durationMs",
      "httpStatus",
      "code",
      "ip",
      { title: "请求", show: (o) => `${o.method} ${o.path}`, wide: true },
      { key: "message", wide: true },
      { key: "userAgent", wide: true },
      { key: "requestId", wide: true },
    ]}
    tabs={[
      {
        key: "input",
        title: "输入",
        view: (o) => <pre className="log-input">{JSON.stringify(o.input, null, 2)}</pre>,
      },
      {
        key: "business",
        title: "业务日志",
        count: (o) => o.business.length,
        view: (o) => <Business lines={o.business} />,
      },
      {
        key: "nearby",
        title: "前后 10 分钟",
        count: (o) => o.nearby.length,
        view: (o) => <Nearby lines={o.nearby} />,
      },
    ]}
  />
);
