import { useState } from "react";
import { usePhone } from "../../../platform/console/filter/stored-choice.ts";
import { Button } from "../../../platform/console/parts/button.tsx";
import { confirmLeave } from "../../../platform/console/parts/dialog.tsx";
import { Drawer } from "../../../platform/console/parts/drawer.tsx";
import { Underline } from "../../../platform/console/parts/underline.tsx";
import { dirtyPaths, useAddress, useGo, usePage } from "../../../platform/console/screens/page.ts";
import { useOperator } from "../../../platform/console/session/operator.ts";
import { Applications } from "../application/applications.panel.tsx";
import { Departments } from "./departments.panel.tsx";
import { Staff } from "./staff.panel.tsx";
import { Roles } from "../role/roles.panel.tsx";
import { Sessions } from "../session/sessions.panel.tsx";
import "./staff.css";

/** 权限管理: departments, people, roles, and who is signed in (?tab=). */
export default function AuthorityPage() {
  const platform = useOperator()?.superType === "0";
  const phone = usePhone();
  const [address, set] = useAddress();
  const { path } = usePage();
  const go = useGo();
  const [choosing, setChoosing] = useState(false);
  const tabs = [
    { key: "staff", title: "员工" },
    { key: "roles", title: "角色" },
    { key: "sessions", title: "在线会话" },
    // whom the platform lets in is the platform's own business
    ...(platform ? [{ key: "applications", title: "注册申请" }] : []),
  ];
  const on = tabs.find((t) => t.key === address.get("tab"))?.key ?? "staff";
  const choose = async (tab: string) => {
    if (tab === on || (dirtyPaths().has(path) && !(await confirmLeave()))) return;
    // what one tab keeps in the address means nothing to the next
    go(path, { tab: tab === "staff" ? undefined : tab });
  };
  const tree = (
    <Departments
      on={Number(address.get("departmentId")) || undefined}
      onChoose={(id) => {
        set({ departmentId: id, pageNo: undefined });
        setChoosing(false);
      }}
    />
  );
  return (
    <div className="people">
      <div className="people__tabs row gap-6">
        <Underline label="权限管理" items={tabs} on={on} onChange={(key) => void choose(key)} />
        {phone && on === "staff" && <Button run={() => setChoosing(true)}>部门</Button>}
      </div>
      <div className={`people__body ${on === "staff" && !phone ? "people__body--tree" : ""}`} role="tabpanel">
        {on === "staff" && !phone && tree}
        {on === "staff" ? (
          <Staff />
        ) : on === "roles" ? (
          <Roles />
        ) : on === "sessions" ? (
          <Sessions />
        ) : (
          <Applications />
        )}
      </div>
      {choosing && (
        <Drawer title="选择部门" width={320} modal onClose={() => setChoosing(false)}>
          {tree}
        </Drawer>
      )}
    </div>
  );
}
