import { useState } from "react";
import { Loaded } from "../../../platform/console/parts/loaded.tsx";
import { useAddress, useGo } from "../../../platform/console/screens/page.ts";
import { getLessor } from "../lessor/lessor.contract.ts";
import { LessorForm } from "./lessor.form.tsx";

/** 新建企业; with ?id= one as it stands. From here it goes on to be verified. */
export default function CreateLessorPage() {
  const [address] = useAddress();
  const go = useGo();
  // the page stays mounted in its tab: the next one begins with an empty form
  const [added, setAdded] = useState(0);
  const id = Number(address.get("id")) || undefined;
  const onSaved = (saved: number) => {
    if (!id) setAdded(added + 1);
    go("/system/EnterpriseAuth", { id: saved });
  };
  if (!id) return <LessorForm key={added} onSaved={onSaved} />;
  return (
    <Loaded call={getLessor} sent={{ params: { id } }} keeps>
      {(lessor) => <LessorForm key={lessor.version} lessor={lessor} onSaved={onSaved} />}
    </Loaded>
  );
}
