/** What surrounds every page of the checkout. */
import type { ComponentChildren } from 'preact';
import { renderDocument } from '../../ui/document.tsx';
import { Languages } from '../../ui/languages.tsx';
import type { AssetName } from '../assets.ts';
import type { Stage } from '../scene.ts';

interface FrameProps {
  readonly title: string;
  /** Whether the banner says that no money moves. */
  readonly isTest: boolean;
  /** What the page shows, for scripts and tests. */
  readonly view: string;
  readonly head?: ComponentChildren;
  readonly scripts?: readonly AssetName[];
  readonly children: ComponentChildren;
}

/** The document of a checkout page. */
export function drawFrame(stage: Stage, props: FrameProps): string {
  const { say, asset, locale, languages } = stage;
  return renderDocument({
    locale,
    title: props.title,
    styles: [asset('base.css'), asset('checkout.css')],
    scripts: (props.scripts ?? []).map(asset),
    icon: asset('icon.svg'),
    head: props.head,
    children: (
      <>
        <a class="skip" href="#main">
          {say('page.skip')}
        </a>
        {props.isTest && (
          <header class="banner" id="test-banner">
            {say('test.banner')}
          </header>
        )}
        <main id="main" class="card" data-view={props.view}>
          {props.children}
        </main>
        <footer class="foot">
          <Languages label={say('page.language')} current={locale} links={languages} />
          <p>{say('page.made_by')}</p>
        </footer>
      </>
    ),
  });
}
