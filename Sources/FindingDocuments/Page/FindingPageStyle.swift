/// The style of a page of findings: dark on light, in one column of tables, readable on paper. In
/// black and white, words, shapes and hatching distinguish severities, never colour alone.
enum FindingPageStyle {
    static let css = """
        :root{--ink:#1b1f24;--soft:#57606a;--line:#d0d7de;--faint:#f6f8fa;--error:#9b1c1c;--warning:#8a5a00;\
        --note:#3a5a78}
        *{box-sizing:border-box}
        body{margin:0;background:#fff;color:var(--ink);font:15px/1.5 "Segoe UI",Roboto,"Noto Sans","Liberation \
        Sans","DejaVu Sans",Arial,sans-serif}
        main,header,footer{max-width:76rem;margin:0 auto;padding:0 1.5rem}
        header{padding-top:2rem}
        h1{font-size:1.9rem;line-height:1.2;margin:0 0 .25rem;font-weight:650;letter-spacing:-.01em}
        h2{font-size:1.15rem;margin:2.2rem 0 .6rem;font-weight:650}
        .sub{color:var(--soft);margin:0 0 1rem;font-size:1.05rem}
        .banner{display:inline-block;border:2px solid var(--ink);padding:.15rem \
        .6rem;font-weight:700;letter-spacing:.04em;margin:0 0 1rem}
        dl.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:.5rem \
        1.5rem;margin:0;padding:1rem 0;border-top:1px solid var(--line);border-bottom:1px solid var(--line)}
        dl.facts div{min-width:0}
        dt{font-size:.78rem;color:var(--soft)}
        dd{margin:0;overflow-wrap:anywhere}
        .sums{display:flex;flex-wrap:wrap;gap:1rem;margin:1.25rem 0 0;padding:0;list-style:none}
        .sums li{border:1px solid var(--line);border-left-width:6px;border-radius:4px;padding:.5rem 1rem;min-width:9rem}
        .sums b{display:block;font-size:1.7rem;line-height:1.2;font-weight:650;font-variant-numeric:tabular-nums}
        .sums .error{border-left-color:var(--error)}.sums \
        .warning{border-left-color:var(--warning);border-left-style:double}.sums \
        .note{border-left-color:var(--note);border-left-style:dotted}
        .charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(24rem,100%),1fr));gap:1rem 2.5rem}
        figure{margin:0;min-width:0}
        figcaption{font-weight:600;margin:1.4rem 0 .4rem}
        svg{display:block;max-width:100%;height:auto}
        svg text{font-size:12px;fill:var(--ink);font-family:inherit}
        svg .soft{fill:var(--soft)}
        a{color:#0b4f9e}
        a:focus-visible,input:focus-visible,select:focus-visible,button:focus-visible{outline:3px solid \
        #0b4f9e;outline-offset:2px}
        form{position:sticky;top:0;z-index:1;background:#fff;display:flex;flex-wrap:wrap;gap:.75rem;align-items:end;\
        padding:.9rem 0;border-bottom:2px solid var(--ink);margin-top:2rem}
        label{display:flex;flex-direction:column;font-size:.78rem;color:var(--soft);gap:.15rem}
        label.wide{flex:1 1 14rem}
        input,select,button{font:inherit;font-size:.95rem;color:var(--ink);padding:.35rem .55rem;border:1px solid \
        #8c959f;border-radius:4px;background:#fff;max-width:100%}
        select{max-width:16rem}
        button{cursor:pointer;background:var(--faint)}
        output{flex:1 0 100%;font-weight:600}
        section{margin:1.8rem 0 2.4rem}
        section h2{margin:0 0 .2rem;display:flex;flex-wrap:wrap;gap:.3rem .7rem;align-items:baseline}
        code{font:.86em/1.4 ui-monospace,"DejaVu Sans Mono","Liberation Mono",monospace}
        .badge{font-size:.78rem;font-weight:700;text-transform:uppercase;letter-spacing:.04em;padding:.05rem \
        .5rem;border-radius:3px;border:2px solid}
        .badge.error{background:var(--error);border-color:var(--error);color:#fff}
        .badge.warning{border-color:var(--warning);color:var(--warning)}
        .badge.note{border-color:var(--note);border-style:dotted;color:var(--note)}
        .count{color:var(--soft);font-weight:400;font-size:1rem}
        .more{color:var(--soft);margin:.1rem 0 .4rem}
        table{width:100%;border-collapse:collapse;table-layout:fixed}
        th{text-align:left;font-size:.78rem;font-weight:600;color:var(--soft);border-bottom:1px solid \
        var(--ink);padding:.25rem .75rem .25rem 0}
        td{vertical-align:top;padding:.6rem .75rem .6rem 0;border-bottom:1px solid \
        var(--line);overflow-wrap:anywhere;unicode-bidi:isolate}
        th.place{width:24%}th.strip{width:150px}th.print{width:9.5rem}
        td p{margin:0}
        .key{font-weight:600}
        .where,.remedy,.print{color:var(--soft)}
        .where{font-size:.88rem}
        .remedy::before{content:"→ "}
        .print code{font-size:.72rem}
        .accepted{border:1px dashed var(--soft);border-radius:3px;padding:.15rem \
        .5rem;margin-top:.35rem;font-size:.88rem}
        .accepted b{text-transform:uppercase;letter-spacing:.04em;font-size:.78rem}
        footer{color:var(--soft);font-size:.85rem;padding-top:1rem;padding-bottom:2rem;border-top:1px solid \
        var(--line);margin-top:2rem}
        [hidden]{display:none!important}
        @media (max-width:46rem){th.print,td.print{display:none}.charts{grid-template-columns:1fr}}
        @media screen and (max-width:34rem){
        main,header,footer{padding:0 1rem}
        form{position:static}
        label,label.wide{flex:1 0 100%}
        select{max-width:none;width:100%}
        .charts figure{overflow-x:auto}
        .charts svg{min-width:26rem}
        table,tbody,tr,td{display:block}
        thead{display:none}
        tr{border-bottom:1px solid var(--line);padding:.5rem 0}
        td{border:0;padding:.2rem 0}
        }
        @media print{
        @page{size:A4;margin:15mm}
        body{font-size:9.5pt}
        main,header,footer{max-width:none;padding:0}
        form{position:static;border:0;padding:.3rem 0;margin-top:1rem}
        form label,form button{display:none}
        tr,figure,.sums li{break-inside:avoid}
        thead{display:table-header-group}
        section h2{break-after:avoid}
        a{color:inherit;text-decoration:none}
        .badge.error{-webkit-print-color-adjust:exact;print-color-adjust:exact}
        th.strip{width:130px}
        }

        """
}
