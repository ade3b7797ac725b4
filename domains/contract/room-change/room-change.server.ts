import { serveAct } from "../act/act.service.ts";
import { EXCHANGE_ROOMS } from "./exchange.service.ts";
import { addRoomsActs, exchangeRoomsActs, returnRoomsActs } from "./room-change.contract.ts";
import { ADD_ROOMS, RETURN_ROOMS } from "./room-change.service.ts";

export default [
  ...serveAct(ADD_ROOMS, addRoomsActs),
  ...serveAct(RETURN_ROOMS, returnRoomsActs),
  ...serveAct(EXCHANGE_ROOMS, exchangeRoomsActs),
];
