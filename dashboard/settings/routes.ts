import { action, page } from '../route.ts';
import { saveSettings, showSettings } from './settings.tsx';

export const SETTINGS_ROUTES = [
  page('/settings', 'settings.read', showSettings),
  action('/settings', 'settings.write', { act: saveSettings, again: showSettings }),
];
