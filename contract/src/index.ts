// Kit's HTTP API, declared in one place. Imports nothing from Node, so that the dashboard can use it too.
import * as accounts from "./accounts.ts";
import * as autostart from "./autostart.ts";
import * as clipExports from "./clip-exports.ts";
import * as clips from "./clips.ts";
import * as data from "./data.ts";
import * as events from "./events.ts";
import * as eventsFile from "./events-file.ts";
import { getFfmpegInstall, installFfmpeg } from "./ffmpeg-install.ts";
import * as forwarding from "./forwarding.ts";
import * as games from "./games.ts";
import { getHealth, getOpenapi, stopLauncher } from "./health.ts";
import { reportError, triggerRecording, triggerSocial } from "./ingest.ts";
import * as invitations from "./invitations.ts";
import { getIssue } from "./issue-detail.ts";
import * as issues from "./issues.ts";
import * as library from "./library.ts";
import * as notices from "./notices.ts";
import type { Operation } from "./operation.ts";
import * as origins from "./origins.ts";
import * as postRules from "./post-rules.ts";
import * as posts from "./posts.ts";
import * as recorder from "./recorder.ts";
import * as reels from "./reels.ts";
import { previewRecordingRule } from "./rule-preview.ts";
import { listSdk } from "./sdk.ts";
import * as session from "./session.ts";
import * as sessions from "./sessions.ts";
import * as source from "./source.ts";
import { getCommandOptions, getDiskUsage } from "./usage.ts";

export * from "./accounts.ts";
export * from "./attachment.ts";
export * from "./autostart.ts";
export * from "./best-moments.ts";
export * from "./client.ts";
export * from "./clip-exports.ts";
export * from "./clips.ts";
export * from "./counts.ts";
export * from "./data.ts";
export * from "./demo.ts";
export * from "./events.ts";
export * from "./events-file.ts";
export * from "./ffmpeg-install.ts";
export * from "./forwarding.ts";
export * from "./games.ts";
export * from "./health.ts";
export * from "./ingest.ts";
export * from "./invitations.ts";
export * from "./issue-detail.ts";
export * from "./issue-markdown.ts";
export * from "./issues.ts";
export * from "./library.ts";
export * from "./limits.ts";
export * from "./message.ts";
export * from "./message-schema.ts";
export * from "./names.ts";
export * from "./notice-digest.ts";
export * from "./notices.ts";
export * from "./operation.ts";
export * from "./origins.ts";
export * from "./post-rules.ts";
export * from "./posts.ts";
export * from "./problem.ts";
export * from "./recorder.ts";
export * from "./reels.ts";
export * from "./rule-preview.ts";
export * from "./sdk.ts";
export * from "./session.ts";
export * from "./sessions.ts";
export * from "./source.ts";
export * from "./upright.ts";
export * from "./usage.ts";

/** All operations by what they are about, in the order of `kit api`. */
export const operationsByTopic: Readonly<Record<string, readonly Operation[]>> = {
  "Events of games": [triggerRecording, reportError, triggerSocial],
  "The launcher": [getHealth, getOpenapi, stopLauncher],
  "Stored events": [events.listEvents, events.getReceipt, events.listRefusals, events.streamFeed],
  Sessions: [sessions.listSessions, sessions.getSession, sessions.getTimeline, sessions.reportRun],
  "Games and switches": [
    games.listGames,
    games.registerGame,
    games.forgetGame,
    games.changeEventIdRule,
    games.switchServices,
    eventsFile.exportEventsFile,
    eventsFile.importEventsFile,
  ],
  "The library of games": [
    library.listLibrary,
    library.addLibraryGame,
    library.changeLibraryGame,
    library.playGame,
    library.setCover,
    library.getCover,
    library.getIcon,
    source.listSourceFolders,
    source.setSourceFolder,
    source.forgetSourceFolder,
  ],
  Clips: [
    clips.listClips,
    clips.getClip,
    clips.changeClip,
    clips.deleteClip,
    clips.restoreClip,
    clips.planCleanup,
    clips.listClipTags,
    clips.trimClip,
    clips.revealClip,
    clips.copyClipFiles,
    clips.getClipFrame,
    reels.makeReel,
    reels.cancelReel,
    clipExports.listClipExports,
    clipExports.exportClip,
    clipExports.cancelClipExport,
    clipExports.getClipExportFile,
    clips.getClipVideo,
    clips.getClipPoster,
    clips.getClipPreview,
  ],
  "The recorder": [
    recorder.getRecorder,
    recorder.changeRecorder,
    recorder.testRecorder,
    recorder.expectGame,
    getFfmpegInstall,
    installFfmpeg,
    recorder.saveRecording,
    recorder.markMoment,
    recorder.listRecordingRules,
    recorder.changeRecordingRule,
    recorder.resetRecordingRule,
    previewRecordingRule,
  ],
  "Issues and alerts": [
    issues.listIssues,
    getIssue,
    issues.changeIssue,
    issues.mergeIssues,
    issues.splitIssue,
    issues.deleteIssue,
    issues.restoreIssue,
    notices.listNotices,
    notices.markNoticesSeen,
    notices.getNoticeSettings,
    notices.changeNoticeSettings,
    notices.testNotice,
  ],
  Forwarding: [
    forwarding.listForwardTargets,
    forwarding.addForwardTarget,
    forwarding.changeForwardTarget,
    forwarding.removeForwardTarget,
    forwarding.testForwardTarget,
    forwarding.testForwardBucket,
    forwarding.listSentRequests,
    invitations.checkInvitation,
    invitations.acceptInvitation,
  ],
  Posts: [
    posts.listPosts,
    posts.getPost,
    posts.proposePost,
    posts.createPost,
    posts.changePost,
    posts.approvePost,
    posts.undoPost,
    posts.getPostVideo,
    posts.getPostPicture,
    posts.skipPost,
    posts.settleDelivery,
  ],
  "Rules of posts": [
    postRules.listPostRules,
    postRules.addPostRule,
    postRules.changePostRule,
    postRules.removePostRule,
    postRules.previewPost,
    postRules.getPostSettings,
    postRules.changePostSettings,
  ],
  Accounts: [
    accounts.listAccounts,
    accounts.addAccount,
    accounts.changeAccount,
    accounts.removeAccount,
    accounts.testAccount,
  ],
  "Consent of web pages": [origins.listOrigins, origins.decideConsent, origins.forgetOrigin],
  "Packages of the bindings": [listSdk],
  "Start with the OS": [
    autostart.getAutostart,
    autostart.setAutostart,
    autostart.getDesktopEntry,
    autostart.setDesktopEntry,
  ],
  Data: [
    getDiskUsage,
    getCommandOptions,
    data.listBackups,
    data.makeBackup,
    data.deleteBackup,
    data.getBackupFile,
    data.restoreBackup,
    data.listPreviousData,
    data.restorePreviousData,
    data.deletePreviousData,
    data.exportEverything,
    data.listWipes,
    data.wipeGame,
    data.undoWipe,
    data.wipeAll,
  ],
  "Sign-in": [session.createTicket, session.openSignInSession, session.closeSignInSession, session.createDownloadLink],
};

export const operations: readonly Operation[] = Object.values(operationsByTopic).flat();
