/** Drawings of the goods, inline so that a page needs no further request. All are decoration. */

import type { JSX } from 'preact';

/** The shop's mark: a pomegranate with its crown. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" width="30" height="30" aria-hidden="true">
      <path d="M11 3l3 4 2-4 2 4 3-4 .6 7h-11z" fill="#7d1734" />
      <circle cx="16" cy="19" r="11" fill="#a61e46" />
      <path d="M16 13c5 1 7 6 4 11-5 0-8-5-4-11z" fill="#f6d9d3" />
      <circle cx="18" cy="18" r="1.5" fill="#a61e46" />
      <circle cx="17" cy="21.5" r="1.5" fill="#a61e46" />
      <circle cx="20" cy="21" r="1.3" fill="#a61e46" />
    </svg>
  );
}

function CoffeePot() {
  return (
    <>
      <rect
        x="140"
        y="44"
        width="74"
        height="9"
        rx="4.5"
        fill="#5a3a2a"
        transform="rotate(-14 140 48)"
      />
      <path
        d="M78 52h66l-8 26c10 12 14 26 12 46-1 8-6 12-14 12H88c-8 0-13-4-14-12-2-20 2-34 12-46z"
        fill="#c26a3a"
      />
      <path d="M78 52h66l-8 26H86z" fill="#a9552b" />
      <path d="M144 52l14-8-12 24z" fill="#a9552b" />
      <ellipse cx="111" cy="52" rx="33" ry="7" fill="#7c3b1c" />
      <ellipse cx="111" cy="53" rx="26" ry="4.5" fill="#3d2017" />
      <g fill="#d98a5c">
        <circle cx="92" cy="100" r="4" />
        <circle cx="111" cy="96" r="4" />
        <circle cx="130" cy="100" r="4" />
        <circle cx="101" cy="115" r="4" />
        <circle cx="121" cy="115" r="4" />
      </g>
      <path
        d="M98 36c-6-7 6-11 0-19M116 36c-6-7 6-11 0-19"
        stroke="#fff"
        stroke-width="4"
        fill="none"
        stroke-linecap="round"
        opacity=".8"
      />
    </>
  );
}

function ApricotJam() {
  return (
    <>
      <circle cx="182" cy="118" r="20" fill="#f2a04a" />
      <path d="M182 99c-5 12-5 26 0 38" stroke="#d67f2a" stroke-width="3" fill="none" />
      <path d="M182 99c4-10 14-13 24-10-4 9-13 13-24 10z" fill="#6f8f4e" />
      <rect x="76" y="48" width="80" height="90" rx="14" fill="#e8892f" />
      <rect x="76" y="48" width="80" height="22" rx="11" fill="#fbe3c4" />
      <path d="M76 60h80v12H76z" fill="#f4b25f" />
      <rect x="72" y="28" width="88" height="24" rx="6" fill="#fff8ec" />
      <path
        d="M72 40h88M84 28v24M100 28v24M116 28v24M132 28v24M148 28v24"
        stroke="#c94f4f"
        stroke-width="3"
        opacity=".65"
      />
      <rect x="88" y="84" width="56" height="38" rx="4" fill="#fffaf0" />
      <circle cx="116" cy="98" r="8" fill="#e8892f" />
      <path d="M98 114h36" stroke="#8b6b4a" stroke-width="3" stroke-linecap="round" />
    </>
  );
}

function WoolRunner() {
  const rows = [45, 85, 125, 165];
  return (
    <>
      <path d="M32 40v80M36 40v80M216 40v80" stroke="#f4e6d0" stroke-width="2" />
      <rect x="26" y="38" width="188" height="84" fill="#8f2431" />
      <rect x="34" y="46" width="172" height="68" fill="#e9d3ae" />
      <rect x="39" y="51" width="162" height="58" fill="#a83240" />
      {rows.map((x) => (
        <g key={x} transform={`translate(${x} 56)`}>
          <path d="M0 24L10 4h12l10 20-10 20H10z" fill="#27435c" transform="translate(-1 0)" />
          <path d="M15 8l9 16-9 16-9-16z" fill="#e9b44c" />
          <path d="M15 16l5 8-5 8-5-8z" fill="#8f2431" />
        </g>
      ))}
      <path
        d="M26 42H14M26 52H14M26 62H14M26 72H14M26 82H14M26 92H14M26 102H14M26 112H14"
        stroke="#e9d3ae"
        stroke-width="3"
        stroke-linecap="round"
      />
      <path
        d="M214 42h12M214 52h12M214 62h12M214 72h12M214 82h12M214 92h12M214 102h12M214 112h12"
        stroke="#e9d3ae"
        stroke-width="3"
        stroke-linecap="round"
      />
    </>
  );
}

function StoneMugs() {
  return (
    <>
      <path d="M146 68h18a18 18 0 0 1 0 36h-18" fill="none" stroke="#4d5a63" stroke-width="9" />
      <path d="M92 52h62v62c0 9-6 14-14 14h-34c-8 0-14-5-14-14z" fill="#5f6f7a" />
      <path d="M92 52h62v24c-11 9-20-5-31 3s-21 4-31-2z" fill="#dfe7e6" />
      <ellipse cx="123" cy="52" rx="31" ry="6" fill="#b9c6c7" />
      <path d="M66 82H50a17 17 0 0 0 0 34h16" fill="none" stroke="#7d4b36" stroke-width="9" />
      <path d="M60 68h58v56c0 9-6 14-14 14H74c-8 0-14-5-14-14z" fill="#93583f" />
      <path d="M60 68h58v22c-10 9-19-4-29 3s-20 4-29-2z" fill="#f3e8d8" />
      <ellipse cx="89" cy="68" rx="29" ry="6" fill="#d9c5ab" />
    </>
  );
}

function LinenNotebook() {
  return (
    <g transform="rotate(-7 120 80)">
      <rect x="80" y="26" width="92" height="114" rx="6" fill="#d8d2c4" />
      <rect x="76" y="24" width="92" height="112" rx="6" fill="#fffdf7" />
      <rect x="70" y="22" width="92" height="112" rx="6" fill="#3f6b5c" />
      <rect x="70" y="22" width="16" height="112" rx="6" fill="#315547" />
      <rect x="146" y="22" width="5" height="112" fill="#e0a458" />
      <rect x="96" y="44" width="40" height="26" rx="3" fill="#f5efe0" />
      <path d="M103 54h26M103 61h16" stroke="#3f6b5c" stroke-width="2.5" stroke-linecap="round" />
      <path d="M186 34l8 3-26 84-9 10-1-13z" fill="#e0a458" />
      <path d="M158 118l10 3-9 10z" fill="#4a3426" />
    </g>
  );
}

function NardiBoard() {
  const points = [0, 1, 2, 3];
  return (
    <>
      <rect x="36" y="26" width="168" height="110" rx="8" fill="#5b3a26" />
      <rect x="45" y="35" width="71" height="92" fill="#d9b382" />
      <rect x="124" y="35" width="71" height="92" fill="#d9b382" />
      {[45, 124].map((left) => (
        <g key={left}>
          {points.map((point) => {
            const x = left + point * 17.75;
            const fill = point % 2 === 0 ? '#8c4a2f' : '#f3e3c3';
            const other = point % 2 === 0 ? '#f3e3c3' : '#8c4a2f';
            return (
              <g key={point}>
                <path d={`M${x} 35h17.75l-8.9 38z`} fill={fill} />
                <path d={`M${x} 127h17.75l-8.9 -38z`} fill={other} />
              </g>
            );
          })}
        </g>
      ))}
      <g fill="#2e2521">
        <circle cx="54" cy="43" r="7" />
        <circle cx="54" cy="56" r="7" />
        <circle cx="168" cy="119" r="7" />
      </g>
      <g fill="#fff6e6">
        <circle cx="107" cy="119" r="7" />
        <circle cx="107" cy="106" r="7" />
        <circle cx="133" cy="43" r="7" />
      </g>
      <g transform="rotate(14 152 82)">
        <rect x="143" y="73" width="18" height="18" rx="4" fill="#fffdf8" />
        <path
          d="M148 78h.1M156 86h.1M152 82h.1"
          stroke="#a61e46"
          stroke-width="4"
          stroke-linecap="round"
        />
      </g>
    </>
  );
}

const PICTURES: Readonly<Record<string, () => JSX.Element>> = {
  'coffee-pot': CoffeePot,
  'apricot-jam': ApricotJam,
  'wool-runner': WoolRunner,
  'stone-mugs': StoneMugs,
  'linen-notebook': LinenNotebook,
  'nardi-board': NardiBoard,
};

/** The good's picture; the words beside it say what it is. */
export function Picture({ sku }: { sku: string }) {
  const Drawing = PICTURES[sku];
  return (
    <svg viewBox="0 0 240 160" aria-hidden="true">
      {Drawing && <Drawing />}
    </svg>
  );
}
