import { action, openAction, openPage, page } from '../route.ts';
import { changePassword, setLanguage, showAccount } from './account.tsx';
import { showAudit } from './audit.tsx';
import { openInvite, openReset, useInvite, useReset } from './invite.tsx';
import { addPasskey, removePasskey, signInWithPasskey } from './passkeys.tsx';
import { turnOffRequirement, turnOnRequirement } from './requirement.tsx';
import * as step from './second-step.tsx';
import { endOtherSessions, endSession } from './sessions.tsx';
import { enterCode, showCode, showSignIn, signIn, signOut } from './sign-in.tsx';
import * as team from './team.tsx';

/** The settings that all forms of one page share. */
const ofTeam = { again: team.showTeam, confirm: true };
const ofAccount = { again: showAccount };
const confirmed = { again: showAccount, confirm: true };

export const STAFF_ROUTES = [
  openPage('/sign-in', showSignIn),
  openAction('/sign-in', { act: signIn, again: showSignIn }),
  openPage('/sign-in/code', showCode),
  openAction('/sign-in/code', { act: enterCode, again: showCode }),
  openAction('/sign-in/passkey', { act: signInWithPasskey, again: showSignIn }),
  openPage('/invite/:token', openInvite),
  openAction('/invite/:token', { act: useInvite, again: openInvite }),
  openPage('/reset/:token', openReset),
  openAction('/reset/:token', { act: useReset, again: openReset }),
  action('/sign-out', 'account.write', { act: signOut, again: showAccount }),

  page('/team', 'team.read', team.showTeam),
  action('/team', 'team.write', { act: team.inviteUser, ...ofTeam }),
  action('/team/second-step/on', 'team.write', { act: turnOnRequirement, ...ofTeam }),
  action('/team/second-step/off', 'team.write', { act: turnOffRequirement, ...ofTeam }),
  action('/team/:id/role', 'team.write', { act: team.changeRole, ...ofTeam }),
  action('/team/:id/reset', 'team.write', { act: team.resetUser, ...ofTeam }),
  action('/team/:id/remove', 'team.write', { act: team.removeUser, ...ofTeam }),
  action('/team/invites/:id/withdraw', 'team.write', { act: team.withdrawInvite, ...ofTeam }),

  page('/audit', 'audit.read', showAudit),

  page('/account', 'account.write', showAccount),
  action('/account/language', 'account.write', { act: setLanguage, ...ofAccount }),
  action('/account/password', 'account.write', {
    act: changePassword,
    again: showAccount,
    confirm: true,
  }),
  action('/account/sessions', 'account.write', { act: endOtherSessions, ...ofAccount }),
  action('/account/sessions/:id/end', 'account.write', { act: endSession, ...ofAccount }),
  action('/account/second-step', 'account.write', { act: step.prepareSecondStep, ...confirmed }),
  action('/account/second-step/on', 'account.write', {
    act: step.turnOnSecondStep,
    again: step.showSetupOr(showAccount),
    confirm: true,
  }),
  action('/account/second-step/codes', 'account.write', {
    act: step.renewRecoveryCodes,
    ...confirmed,
  }),
  action('/account/second-step/off', 'account.write', {
    act: step.turnOffSecondStep,
    ...confirmed,
  }),
  action('/account/passkeys', 'account.write', { act: addPasskey, ...confirmed }),
  action('/account/passkeys/:id/remove', 'account.write', { act: removePasskey, ...confirmed }),
];
