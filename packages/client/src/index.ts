export type {
  CallName,
  CallOptions,
  DownloadName,
  Input,
  Operation,
  OperationName,
  Result,
  Schemas,
} from './call-types.ts';
export { type Answer, Apotheca, type AskForCode, type ClientOptions, type Download, type Session } from './client.ts';
export { ApothecaError } from './failure.ts';
