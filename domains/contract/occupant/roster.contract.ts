import { z } from "zod";
import { exportOf } from "../../../platform/kernel/export.ts";
import * as f from "../../../platform/kernel/field.ts";
import * as filter from "../../../platform/kernel/filter.ts";
import { pageQuery, pageReply } from "../../../platform/kernel/paging.ts";
import { callsAt } from "../../../platform/kernel/records.ts";
import { GENDERS } from "../../customer/renter/words.rules.ts";

/** Whether somebody lives there today. */
export const STAYS = {
  living: ["在住", "green"],
  coming: ["待入住", "cyan"],
  left: ["已搬离", "grey"],
} as const satisfies f.Words;

/** Everybody who lives, lived or is to live in rooms that companies rent. */
export const listOccupants = callsAt("/contract/api/v3/occupant", "company").get(
  "/roster",
  "企业入住人列表",
  "11.query",
  {
    query: pageQuery("fromDate", "toDate").extend({
      villageIds: filter.villages(),
      state: filter.choices("状态", STAYS),
      ...filter.between("fromFrom", "fromTo", f.dayInput("入住日").optional(), {
        kind: "days",
        title: "入住日",
      }),
      keyword: filter.keyword("姓名、手机号后四位、合同号、企业、房间"),
    }),
    reply: pageReply(
      z.object({
        id: f.id,
        name: f.person("姓名"),
        phone: f.phone("手机号"),
        certNo: f.certificateNo("证件号"),
        gender: f.status("性别", GENDERS).nullable(),
        relation: f.text("岗位或关系"),
        partyId: f.id,
        partyName: f.link("企业"),
        contractId: f.id,
        contractNo: f.link("合同号"),
        villageName: f.text("门店"),
        roomName: f.room("房间"),
        state: f.status("状态", STAYS),
        fromDate: f.day("入住"),
        toDate: f.day("离开").nullable(),
        lockAccess: f.flag("门锁权限"),
        leaveReason: f.text("搬离原因"),
      }),
    ),
  },
);

export const exportOccupants = exportOf({
  type: "occupant",
  title: "企业入住人",
  needs: "11.export",
  list: listOccupants,
  personal: true,
});
