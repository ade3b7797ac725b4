import { Button } from "../../../platform/console/parts/button.tsx";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { copy } from "../../../platform/console/parts/toast.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

/** The one-time password: told here and nowhere again. */
export const FreshPassword = ({
  of,
  onClose,
}: {
  of: { account: string; password: string; realName: string };
  onClose: () => void;
}) => (
  <Dialog
    title={`${of.realName} 的一次性密码`}
    width={420}
    onClose={onClose}
    footer={
      <Foot cancel={onClose} word="关闭">
        <Button look="main" run={() => copy(`账号 ${of.account}，一次性密码 ${of.password}`)}>
          复制账号和密码
        </Button>
      </Foot>
    }
  >
    <dl className="fresh">
      <dt>账号</dt>
      <dd>{of.account}</dd>
      <dt>密码</dt>
      <dd className="fresh__word" aria-label="一次性密码">
        {of.password}
      </dd>
    </dl>
    <p className="sub">只在这里显示一次，关闭后无法再查看。员工用它登录后须设置自己的密码。</p>
  </Dialog>
);
