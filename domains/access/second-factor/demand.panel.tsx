import { useQuery } from "@tanstack/react-query";
import { useAct } from "../../../platform/console/calls/mutation.ts";
import { Dialog } from "../../../platform/console/parts/dialog.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, PageSkeleton } from "../../../platform/console/parts/states.tsx";
import { readRequirement, requireSecondFactor } from "./second-factor.contract.ts";
import { Foot } from "../../../platform/console/form/form-foot.tsx";

/** 登录安全: whether everybody of the enterprise must have a second factor. */
export function DemandPanel({ onClose }: { onClose: () => void }) {
  const { data, error, refetch } = useQuery(ask(readRequirement));
  const act = useAct();
  const flip = async () => {
    const required = !data!.required;
    const done = required ? "已要求全员使用两步验证" : "已取消两步验证要求";
    if (await act(requireSecondFactor, { body: { required } }, { done })) onClose();
  };
  return (
    <Dialog
      title="登录安全"
      width={420}
      onClose={onClose}
      footer={
        data && (
          <Foot
            cancel={onClose}
            ok={data.required ? "不再要求两步验证" : "要求全员使用两步验证"}
            run={flip}
          />
        )
      }
    >
      {error ? (
        <Broken error={error} retry={refetch} />
      ) : data ? (
        <p>
          {data.required
            ? `本企业要求登录时使用两步验证，还有 ${data.without} 名员工尚未开启，他们登录后须先绑定才能继续操作。取消要求后，已开启的员工不受影响，可以自行关闭。`
            : `目前由员工自行决定是否开启两步验证，还有 ${data.without} 名员工尚未开启。设为要求后，他们（包括您自己，如尚未开启）须先用手机绑定才能继续操作；单点登录的除外，由统一认证平台验证。`}
        </p>
      ) : (
        <PageSkeleton />
      )}
    </Dialog>
  );
}
