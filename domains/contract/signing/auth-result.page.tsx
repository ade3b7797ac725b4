import { Submitted } from "./result.panel.tsx";

/** The return page of enterprise authentication. */
export default function AuthResultPage() {
  return <Submitted title="认证结果已提交" />;
}
