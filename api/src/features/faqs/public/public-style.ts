/** The style of the public pages: one column, light and dark as the reader's system is, and for paper. */
export const PUBLIC_STYLE = `
:root{color-scheme:light dark;--text:#17212b;--muted:#566473;--line:#c9d1d9;--link:#0b6e75;--soft:#eef1f4;--ground:#fff}
@media (prefers-color-scheme:dark){
:root{--text:#e5ebf1;--muted:#a3b0bd;--line:#3a4855;--link:#4cc3ba;--soft:#1b242d;--ground:#151c23}
}
*{box-sizing:border-box}
body{max-width:48rem;margin:0 auto;padding:1rem;background:var(--ground);color:var(--text);
font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}
h1{font-size:1.75rem;line-height:1.2}
h2{font-size:1.375rem;line-height:1.25;margin:2rem 0 .5rem}
h3{font-size:1.125rem;line-height:1.3;margin:1.5rem 0 .25rem}
h4,h5,h6{font-size:1rem;margin:1rem 0 .25rem}
.skip{position:absolute;left:-999rem}
.skip:focus{position:static}
footer{margin-top:2rem}
.faqs{list-style:none;padding:0}
.search{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.search input[type=search]{flex:1 1 12rem;min-width:0}
input,button{font:inherit;color:inherit;padding:.375rem .75rem;border:1px solid var(--muted);border-radius:6px;
background:var(--ground)}
button{cursor:pointer;background:var(--soft)}
:focus-visible{outline:2px solid var(--link);outline-offset:2px}
:target{background:var(--soft)}
.helpful{color:var(--muted);font-size:.875rem}
.helpful button{padding:.25rem .75rem;color:var(--text)}
pre{padding:.75rem;background:var(--soft);border-radius:6px;white-space:pre-wrap}
blockquote{margin:1rem 0;padding-inline-start:1rem;border-inline-start:3px solid var(--line)}
img{max-width:100%;height:auto}
.rich-text-table{overflow-x:auto}
table{border-collapse:collapse}
th,td{padding:.25rem .5rem;border:1px solid var(--line);text-align:start;vertical-align:top}
th{background:var(--soft)}
th p,td p{margin:0}
@media print{
body{max-width:none;padding:0}
.search,.helpful,.skip,nav,footer{display:none}
article{break-inside:avoid-page}
h2,h3{break-after:avoid}
}
`;
