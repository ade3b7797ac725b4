import { QRCodeSVG } from "@rc-component/qrcode";
import { timeInZone } from "../../kernel/day.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { copy } from "./toast.ts";

const ASKED = {
  certificate: "证件号",
  creditCode: "统一社会信用代码",
  ward: "承租人证件号",
  phone: "手机号",
} as const;
type Sent = { path: string; phone: string; expiresAt: string; last4Of?: keyof typeof ASKED };

/** A one-time link that has just gone out by text message; it is shown once, to be scanned at the desk. */
export function SentLink({ title, sent, onClose }: { title: string; sent: Sent; onClose: () => void }) {
  const url = `${location.origin}${sent.path}`;
  return (
    <Dialog title={title} onClose={onClose}>
      <div className="stack gap-6">
        <p>
          链接已发送至 {sent.phone}，有效至 {timeInZone(sent.expiresAt).slice(0, 16)}。也可以当面扫码打开。
        </p>
        <div className="row gap-8 wrap">
          <QRCodeSVG value={url} size={168} marginSize={2} />
          <Button icon="copy" run={() => copy(url)}>
            复制链接
          </Button>
        </div>
        <p className="dim fs-13">打开链接还需要{ASKED[sent.last4Of ?? "certificate"]}后四位。</p>
      </div>
    </Dialog>
  );
}
