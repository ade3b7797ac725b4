import { Link } from "react-router";
import { useBrand } from "../../../platform/console/brand/brand.ts";
import { Icon } from "../../../platform/console/parts/icons.tsx";
import { LOGIN } from "../../../platform/console/session/guard.ts";
import { Mark } from "../../../platform/console/brand/logo.tsx";
import "../contract/contract.css";

/**
 * Where a person lands after signing or authorising elsewhere. Nobody is known here and nothing is asked: whoever opens
 * the address reads the same, and no data.
 */
export function Submitted({ title }: { title: string }) {
  const { productTitle } = useBrand();
  return (
    <main className="submitted">
      <Mark size={48} />
      <p className="submitted__of">{productTitle}</p>
      <span className="submitted__sign grid good">
        <Icon name="check" size={20} />
      </span>
      <h1>{title}</h1>
      <p>最终结果以系统内的记录为准，现在可以关闭本页。</p>
      <Link className="btn btn--lg" to={LOGIN}>
        返回登录
      </Link>
    </main>
  );
}
