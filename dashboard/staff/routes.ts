import { action, openAction, openPage, page } from '../route.ts';
import { changePassword, endOtherSessions, setLanguage, showAccount } from './account.tsx';
import { showAudit } from './audit.tsx';
import { openInvite, showSignIn, signIn, signOut, useInvite } from './sign-in.tsx';
import { changeRole, inviteUser, removeUser, showTeam } from './team.tsx';

export const STAFF_ROUTES = [
  openPage('/sign-in', showSignIn),
  openAction('/sign-in', { act: signIn, again: showSignIn }),
  openPage('/invite/:token', openInvite),
  openAction('/invite/:token', { act: useInvite, again: openInvite }),
  action('/sign-out', 'account.write', { act: signOut, again: showAccount }),

  page('/team', 'team.read', showTeam),
  action('/team', 'team.write', { act: inviteUser, again: showTeam, confirm: true }),
  action('/team/:id/role', 'team.write', { act: changeRole, again: showTeam, confirm: true }),
  action('/team/:id/remove', 'team.write', { act: removeUser, again: showTeam, confirm: true }),

  page('/audit', 'audit.read', showAudit),

  page('/account', 'account.write', showAccount),
  action('/account/password', 'account.write', {
    act: changePassword,
    again: showAccount,
    confirm: true,
  }),
  action('/account/language', 'account.write', { act: setLanguage, again: showAccount }),
  action('/account/sessions', 'account.write', { act: endOtherSessions, again: showAccount }),
];
