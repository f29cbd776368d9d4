"""The view of what changed between two systems: errors fixed, broken and left.

Two errors are the same if they say the same of the same gold object: same item, side,
kind, object, ordinal of the gold object (of the counterpart, for what is surplus),
label, name and value.  The system's own ordinals do not count, which differ between
systems; errors that are equal without them are counted.

Names are grouped by, so that a condition on them is looked at before anything is
sorted; integers come first, which are told apart faster.
"""

from __future__ import annotations


def _text(symbol: str) -> str:
    return f"(select y.text from symbol y where y.id = {symbol})"


CHANGES = f"""
create view v_changes as
  select
    t.gold, t.metric, t.scope, t.baseline, t.system, t.evaluation,
    t.framework, t.language, t.document, t.item, t.layer,
    t.side, t.kind, t.object, t.gold_ordinal,
    {_text("t.label")} as label,
    coalesce({_text("t.name")}, '') as name,
    {_text("t.value")} as value,
    coalesce((select y.type from symbol y where y.id = t.value), 'null') as type,
    k.status,
    case k.status
      when 'fixed' then t.baseline_errors - t.system_errors
      when 'broken' then t.system_errors - t.baseline_errors
      else case when t.baseline_errors < t.system_errors
        then t.baseline_errors else t.system_errors end end as errors
  from (
    select
      g.name as gold, e.metric, e.scope, b.name as baseline, s.name as system,
      case when e.outdated or f.outdated then 'outdated'
        when e.status = 'done' then f.status else e.status end as evaluation,
      p.framework, p.language, p.document, p.item, p.layer,
      x.side, x.kind, x.object, x.gold as gold_ordinal, x.label, x.name, x.value,
      sum(case when x.result = p.result then 1 else 0 end) as baseline_errors,
      sum(case when x.result = o.result then 1 else 0 end) as system_errors
    from evaluation e
    join evaluation f on f.gold = e.gold and f.metric = e.metric
      and f.scope = e.scope and f.id <> e.id
    join collection g on g.id = e.gold
    join collection b on b.id = e.system
    join collection s on s.id = f.system
    join pair p on p.evaluation = e.id
    join pair o on o.evaluation = f.id and o.item = p.item
      and o.framework = p.framework and o.language = p.language
      and o.layer = p.layer
    join error x on x.result in (p.result, o.result)
    where p.result is not null and o.result is not null
    group by p.seq, x.gold, x.value, x.label, x.name, x.side, x.kind, x.object,
      e.id, f.id, g.name, e.metric, e.scope, b.name, s.name,
      e.outdated, f.outdated, e.status, f.status,
      p.framework, p.language, p.document, p.item, p.layer
  ) t
  join (
    select 'fixed' as status union all select 'broken' union all select 'still'
  ) k on (k.status = 'fixed' and t.baseline_errors > t.system_errors)
    or (k.status = 'broken' and t.system_errors > t.baseline_errors)
    or (k.status = 'still' and t.baseline_errors > 0 and t.system_errors > 0)"""
"""The statement that creates the view."""
