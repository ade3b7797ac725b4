import { useEffect, useState, type ReactNode } from "react";
import { Link } from "react-router";
import { helpAddress, useBrand } from "../../../platform/console/brand/brand.ts";
import { HOME, LOGIN } from "../../../platform/console/session/guard.ts";
import { Icon, type IconName } from "../../../platform/console/parts/icons.tsx";
import { OpenPage } from "../../../platform/console/shell/public-page.tsx";
import { permitsOf } from "../../../platform/console/session/permits.ts";
import { sendWire } from "../../../platform/console/calls/request.ts";
import { screenAt } from "../../../platform/console/screens/screen.ts";
import { token, type Operator } from "../../../platform/console/session/session.ts";
import { theHouse } from "../../../platform/console/screens/slots.ts";
import "./home.css";

const DASHBOARD = "/workbench/overview2";

/** Who is signed in in this browser; nothing for everybody else, and while it is not known. */
function useVisitor(): Operator | undefined {
  const [operator, setOperator] = useState<Operator>();
  useEffect(() => {
    if (!token()) return;
    sendWire<Operator>({ method: "GET", path: "/user/info" }).then(setOperator, () => setOperator(undefined));
  }, []);
  return operator;
}

/** The dashboard leads somewhere only where it is built and the visitor may open it. */
function mayDash(operator: Operator): boolean {
  const screen = screenAt(theHouse(), DASHBOARD);
  const permits = permitsOf(operator);
  return screen !== undefined && screen.codes.some((code) => permits.has(String(code)));
}

/** 门户首页: the brand's front door. */
export default function PortalHomePage() {
  const brand = useBrand();
  const help = helpAddress(brand, "/portal/home");
  const operator = useVisitor();
  return (
    <OpenPage
      wide
      tools={
        <span className="row gap-6">
          {operator && <span className="cut">{operator.name}</span>}
          <Link className="btn btn--main" to={operator ? HOME : LOGIN}>
            {operator ? "进入工作台" : "登录"}
          </Link>
        </span>
      }
    >
      <section className="portal">
        <h1>{brand.loginTitle}</h1>
        <p>{brand.slogan}</p>
        <div className="portal__cards grid gap-8">
          <Card icon="building" title="运营后台" note="房源、合同与账单" to={operator ? HOME : LOGIN} />
          {operator && mayDash(operator) && (
            <Card icon="chart" title="数据看板" note="出租率、收款与到期一览" to={DASHBOARD} />
          )}
          {help && <Card icon="help" title="使用手册" note="功能说明与常见问题" href={help} />}
        </div>
        {(brand.helpPhone || brand.miniCode) && (
          <div className="portal__more">
            {brand.helpPhone && (
              <p>
                <Icon name="phone" />
                服务电话 <a href={`tel:${brand.helpPhone}`}>{brand.helpPhone}</a>
              </p>
            )}
            {brand.miniCode && (
              <figure>
                <img src={`/sams/brand/${brand.miniCode}`} alt="小程序码" width={120} height={120} />
                <figcaption>微信扫码打开小程序</figcaption>
              </figure>
            )}
          </div>
        )}
      </section>
    </OpenPage>
  );
}

type CardProps = { icon: IconName; title: string; note: string; to?: string; href?: string };
function Card({ icon, title, note, to, href }: CardProps) {
  const inside: ReactNode = (
    <>
      <span className="portal__icon">
        <Icon name={icon} size={20} />
      </span>
      <span>
        <b>{title}</b>
        <small>{note}</small>
      </span>
      <Icon name={href ? "open" : "right"} />
    </>
  );
  return href ? (
    <a className="portal__card" href={href} target="_blank" rel="noopener noreferrer">
      {inside}
    </a>
  ) : (
    <Link className="portal__card" to={to!}>
      {inside}
    </Link>
  );
}
