import { useQuery } from "@tanstack/react-query";
import { useState, type CSSProperties } from "react";
import type { Reply } from "../../../platform/kernel/call.ts";
import { inkOn } from "../../../platform/kernel/texts/colour.ts";
import { ChoiceInput } from "../../../platform/console/inputs/inputs.tsx";
import { ask } from "../../../platform/console/calls/request.ts";
import { Broken, PageSkeleton } from "../../../platform/console/parts/states.tsx";
import { StatusTag } from "../../../platform/console/parts/tag.tsx";
import { listBrands } from "./brand.contract.ts";
import "./brands.css";

type Brand = Reply<typeof listBrands>[number];
const VIEWS = { login: ["登录页", "grey"], frame: ["页面", "grey"] } as const;

/** 品牌: all of them side by side as people see them; which one a deployment shows is one of its settings. */
export default function BrandsPanel() {
  const { data, error, refetch } = useQuery(ask(listBrands));
  const [view, setView] = useState("login");
  if (error) return <Broken error={error} retry={refetch} />;
  if (!data) return <PageSkeleton />;
  return (
    <div className="brands">
      <div className="brands__bar row gap-8 wrap">
        <ChoiceInput value={view} words={VIEWS} onChange={(next) => setView(next ?? "login")} />
        <span className="dim">
          当前品牌由部署设置 BRAND 决定，不同域名的品牌由 BRAND_HOSTS 决定；修改后重启服务生效
        </span>
      </div>
      <ul className="brands__all grid gap-8">
        {data.map((brand) => (
          <li key={brand.key} className={brand.active ? "on" : ""}>
            {view === "login" ? <LoginPicture brand={brand} /> : <FramePicture brand={brand} />}
            <div className="brands__facts row wrap">
              <b>{brand.productTitle}</b>
              <span className="dim">{brand.key}</span>
              {brand.active && <StatusTag tone="green">使用中</StatusTag>}
              {brand.hosts.map((host) => (
                <StatusTag key={host} tone="grey" dot={false}>
                  {host}
                </StatusTag>
              ))}
            </div>
            <dl>
              <dt>主题色</dt>
              <dd>
                {brand.themeColor}（文字对比度：白色 {brand.white.toFixed(2)}，深色 {brand.dark.toFixed(2)}）
              </dd>
              <dt>接口</dt>
              <dd>{brand.apiBase || "同源"}</dd>
              <dt>差异</dt>
              <dd>{differences(brand).join("、") || "无"}</dd>
            </dl>
          </li>
        ))}
      </ul>
    </div>
  );
}

const differences = (brand: Brand): string[] =>
  [
    brand.mode === "light" && "浅色菜单",
    brand.hideHelp && "不显示帮助",
    brand.helpUrl && "自定义帮助地址",
    brand.passwordHashTimes === 2 && "密码摘要两次",
    !brand.showChangePhone && "不能自行修改手机号",
    !brand.showChangePassword && "不能自行修改密码",
    brand.allowRegister && "开放注册",
  ].filter((word): word is string => Boolean(word));

const paint = ({ themeColor }: Brand) => ({ "--c": themeColor, "--on": inkOn(themeColor) }) as CSSProperties;

/** The log-in in small, drawn of the same pictures and texts. */
const LoginPicture = ({ brand }: { brand: Brand }) => (
  <div className="bp" style={paint(brand)} aria-label={`${brand.productTitle}登录页`} role="img">
    <div className="bp__art stack gap-5" style={{ backgroundImage: `url(/sams/brand/${brand.background})` }}>
      <span className="bp__mark row gap-2">
        <img src={`/sams/brand/${brand.logo}`} alt="" />
        {brand.productTitle}
      </span>
      <strong>{brand.slogan}</strong>
    </div>
    <div className="bp__form stack">
      <b>{brand.loginTitle}</b>
      <small>{brand.headerTitle}</small>
      <i />
      <i />
      <em>登录</em>
      <footer>{brand.footerText}</footer>
    </div>
  </div>
);

const FramePicture = ({ brand }: { brand: Brand }) => (
  <div
    className={`bp bp--frame bp--${brand.mode}`}
    style={paint(brand)}
    aria-label={`${brand.productTitle}页面`}
    role="img"
  >
    <div className="bp__side stack">
      <span className="bp__mark row gap-2">
        <img src={`/sams/brand/${brand.logo}`} alt="" />
        {brand.productTitle}
      </span>
      <i className="on">工作台</i>
      <i>房源管理</i>
      <i>合同管理</i>
    </div>
    <div className="bp__page stack gap-3">
      <header>{brand.headerTitle}</header>
      <em>新增</em>
      <u />
      <u />
      <u />
    </div>
  </div>
);
