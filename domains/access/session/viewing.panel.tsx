import { useState } from "react";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { leave } from "../../../platform/console/session/session.ts";
import { timeInZone } from "../../../platform/kernel/day.ts";

/** In the header while an administrator looks on as somebody else: as whom, until when, and the way back. */
export default function Viewing() {
  const operator = useOperator();
  const [ending, setEnding] = useState(false);
  if (!operator?.viewAs) return null;
  const end = async () => {
    setEnding(true);
    // whatever the server says, one's own session waits
    await sendWire({ method: "POST", path: "/system/api/v4/login/logout" }).catch(() => undefined);
    leave();
    location.assign("/sams/system/AuthorityManagement");
  };
  return (
    <span
      className="head__mode"
      role="status"
      title={`${operator.viewAs.by} 正在以 ${operator.name} 的身份查看，只能浏览`}
    >
      <Icon name="eye" size={14} />
      <span className="cut">
        以 {operator.name} 的身份查看
        <span className="hide-s">，只读，至 {timeInZone(operator.viewAs.until).slice(11, 16)}</span>
      </span>
      <button type="button" className="linkish" disabled={ending} onClick={() => void end()}>
        结束
      </button>
    </span>
  );
}
