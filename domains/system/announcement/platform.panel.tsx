import { AnnouncementsList } from "./manage.panel.tsx";

/** 公告 as a tab of 平台配置: the same records and the same list as on the workbench. */
export default AnnouncementsList;
