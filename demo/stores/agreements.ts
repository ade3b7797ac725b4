import type { Pool } from "pg";
import { addDays, type Day } from "../../platform/kernel/day.ts";
import type { AgreementType, Block } from "../../domains/service/h5/block.rules.ts";

type Chapter = readonly [heading: string, ...paragraphs: string[]];

const USER: readonly Chapter[] = [
  [
    "一、协议的范围",
    "本协议由您与本平台的运营方（以下称“我们”）就使用本平台订立。您勾选同意、登录或使用本平台，即表示您已阅读并同意本协议。",
    "本平台供租赁住房的运营企业管理房源、合同、账单与服务之用。您代表企业使用时，应确保已获得企业授权。",
  ],
  [
    "二、账号与安全",
    "账号由企业管理员开通，或经注册申请审核后开通。一个账号只供一人使用，请勿转借、出售或与他人共用。",
    "请妥善保管密码与短信验证码。发现账号被他人使用时，请立即修改密码并联系企业管理员。因您保管不善造成的损失由您自行承担。",
    "连续输错密码，账号会被临时锁定，到时自动解除，也可由管理员解锁。离职或岗位变动后，企业应及时停用账号或调整权限。",
  ],
  [
    "三、使用规范",
    "您应当依法使用本平台，录入真实、准确的信息，只查看和处理履行职责所必需的资料。",
    "不得利用本平台从事违法活动，不得以任何方式绕过权限控制、干扰平台运行，不得擅自导出、传播租客的个人信息或企业的经营数据。",
    "您在平台上的操作会被记录，用于安全审计和处理争议。",
  ],
  [
    "四、数据的归属",
    "企业录入的经营数据归企业所有。我们仅为提供服务而存储和处理，不会用于与服务无关的目的。",
    "企业可以按约定导出数据。停止使用后，我们按照约定和法律规定的期限保存并删除数据。",
  ],
  [
    "五、服务的变更与中断",
    "我们会持续改进功能。重大变更会提前在平台内公告。",
    "因系统维护、网络故障、第三方服务或不可抗力造成服务中断的，我们会尽快恢复，并尽可能提前告知。",
  ],
  [
    "六、责任",
    "账单、合同等业务结果以企业确认的内容为准，请您在提交前核对。",
    "任何一方违反本协议给对方造成损失的，应当依法承担相应责任。",
  ],
  [
    "七、协议的修改",
    "我们可能修改本协议。新版本在生效日期之前发布，您可以在本页查看每一个版本。您在新版本生效后继续使用，视为接受；不同意的，可以停止使用并联系企业管理员停用账号。",
  ],
  [
    "八、其他",
    "本协议适用中华人民共和国法律。因本协议产生的争议，双方应先协商；协商不成的，向有管辖权的人民法院起诉。",
  ],
];

const PRIVACY: readonly Chapter[] = [
  [
    "一、我们收集的信息",
    "开通和使用账号时：姓名、手机号、登录账号、所属企业、部门与岗位。",
    "使用平台时：登录时间、网络地址、设备与浏览器信息、操作记录，用于保障账号安全和追溯操作。",
    "企业在业务中录入的租客信息（如姓名、证件号码、联系方式、合同与账单），由企业决定收集的范围和用途，我们受企业委托处理。",
  ],
  [
    "二、我们如何使用信息",
    "用于验证身份、提供功能、发送验证码与业务提醒、排查故障、防范风险，以及履行法律规定的义务。",
    "我们不会将个人信息用于广告推送，也不会出售个人信息。",
  ],
  [
    "三、信息的存储与保护",
    "信息存储在中华人民共和国境内。证件号码、银行账号等敏感信息加密存储，页面上默认只显示一部分。",
    "传输采用加密方式，访问按岗位授权并留有记录。发生信息安全事件时，我们会及时采取补救措施并按规定告知。",
    "信息的保存期限为实现目的所必需的最短时间，法律另有规定的从其规定。",
  ],
  [
    "四、信息的共享",
    "未经同意，我们不会向第三方提供个人信息，但以下情形除外：为完成您或企业发起的业务所必需（如发送短信、线上支付、电子签署）；法律法规规定或有权机关依法要求。",
    "我们要求接收信息的服务方采取不低于本政策的保护措施，且只用于约定的目的。",
  ],
  [
    "五、本地存储",
    "浏览器中会保存登录状态和您选择的显示设置，用于保持登录和还原界面。退出登录后登录状态即被清除。",
  ],
  [
    "六、您的权利",
    "您可以查看、更正自己的账号信息，可以修改手机号和密码，也可以请企业管理员停用账号。",
    "租客可以向所属运营企业查询、更正或删除自己的信息，我们会协助企业处理。",
  ],
  ["七、未成年人", "本平台面向企业员工。我们不会主动收集未成年人的信息。"],
  ["八、政策的更新", "本政策会随业务和法律变化更新。新版本在生效日期之前发布，旧版本可在本页继续查看。"],
];

const GUIDE: readonly Block[] = [
  { kind: "heading", text: "办理入住", level: 1 },
  {
    kind: "text",
    text: "请携带有效身份证件，在约定时间到门店前台办理。\n前台会与您一起核对房间物品和水电表读数，确认后领取钥匙和门卡。",
  },
  { kind: "heading", text: "日常服务", level: 1 },
  {
    kind: "text",
    text: "房租和水电账单会提前提醒，请在应收日之前支付。\n需要维修时请联系管家，紧急情况（漏水、停电、门锁故障）可随时致电前台。",
  },
  { kind: "divider" },
  { kind: "heading", text: "安全提示", level: 2 },
  {
    kind: "text",
    text: "请勿在室内使用大功率电器和明火，电动自行车请停放在指定区域。\n外出请关好门窗、断开不用的电源。",
  },
];

const blocksOf = (chapters: readonly Chapter[]): Block[] =>
  chapters.flatMap(([heading, ...paragraphs]) => [
    { kind: "heading" as const, text: heading, level: 1 as const },
    { kind: "text" as const, text: paragraphs.join("\n") },
  ]);

const AGREED: readonly { type: AgreementType; title: string; blocks: readonly Block[] }[] = [
  { type: "user", title: "用户协议", blocks: blocksOf(USER) },
  { type: "privacy", title: "隐私政策", blocks: blocksOf(PRIVACY) },
];

/** What people read before they sign in, and one page for renters' phones. */
export async function publishAgreements(pool: Pool, enterpriseId: number, today: Day): Promise<void> {
  const day = addDays(today, -90);
  const publish = (page: object, version: object) =>
    pool.query(
      `with p as (
         insert into h5_page (enterprise_id, name, kind, agreement_type)
         select x."enterpriseId", x.name, x.kind, x."agreementType"
         from jsonb_to_record($1::jsonb) x ("enterpriseId" bigint, name text, kind text, "agreementType" text) returning id)
       insert into h5_version (page_id, number, title, blocks, effective_day, published_at)
       select p.id, 1, y.title, y.blocks, y.day, ($3::date + time '10:00') at time zone 'Asia/Shanghai'
       from p, jsonb_to_record($2::jsonb) y (title text, blocks jsonb, day date)`,
      [JSON.stringify(page), JSON.stringify(version), day],
    );
  for (const { type, title, blocks } of AGREED)
    await publish({ name: title, kind: "agreement", agreementType: type }, { title, blocks, day });
  await publish({ enterpriseId, name: "入住指南", kind: "page" }, { title: "入住指南", blocks: GUIDE });
  await pool.query("update h5_page set state = 'published', published_version = 1");
}
