import { action, page } from '../route.ts';
import { dropLogo, saveLogo, sendLogo } from './logo.tsx';
import { saveSettings, showSettings } from './settings.tsx';

export const SETTINGS_ROUTES = [
  page('/settings', 'settings.read', showSettings),
  action('/settings', 'settings.write', { act: saveSettings, again: showSettings }),
  page('/settings/logo/:id', 'settings.read', sendLogo),
  action('/settings/logo', 'settings.write', {
    act: saveLogo,
    again: showSettings,
    isUpload: true,
  }),
  action('/settings/logo/remove', 'settings.write', { act: dropLogo, again: showSettings }),
];
