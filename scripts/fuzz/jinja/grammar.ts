/**
 * Expressions of Jinja by the kind they usually give. `<text>` stands for an expression of that kind; what is
 * listed twice is twice as likely. `;;` separates the rows; leaves are what stands where nothing may nest.
 */
export interface Rule {
  readonly leaves: readonly string[];
  readonly rows: readonly string[];
}

function rule(leaves: string, rows = ""): Rule {
  return { leaves: split(leaves), rows: split(rows) };
}

function split(text: string): readonly string[] {
  return text
    .split(";;")
    .map((row) => row.trim())
    .filter((row) => row !== "");
}

export const GRAMMAR: Readonly<Record<string, Rule>> = {
  text: rule(
    `
      s ;; u ;; html ;; bos_token ;; eos_token ;; system_message ;; 'a' ;; '' ;; 'Hello World' ;; "it's" ;;
      'é🌍' ;; '\\n' ;; 'user' ;; '<think>' ;; 'x\\ty' ;; 'ß' ;; ts[0] ;; d.a
    `,
    `
      <text> ~ <any> ;; <text> ~ <text> ;; <text> + <text> ;; <text> + <text> ;; <text> * <small> ;;
      <texts>[<index>] ;; <text>[<index>] ;; <text>[<index>:] ;; <text>[:<index>] ;;
      <text>[<index>:<index>] ;; <text>[::<step>] ;; <text> if <bool> else <text> ;; <text> if <bool> ;;
      <text> or <text> ;; <text> and <text> ;; <text>.strip() ;; <text>.strip() ;; <text>.strip(<chars>) ;;
      <text>.lstrip(<chars>) ;; <text>.rstrip(<chars>) ;; <text>.lstrip('\\n') ;; <text>.rstrip('\\n') ;;
      <text>.split('</think>')[-1].strip() ;; <text>.split('</think>')[0].split('<think>')[-1] ;;
      <text>.split(<sep>)[<index>] ;; <text>.split(<sep>)[-1].lstrip('\\n') ;; <text>.split(<sep>)|last ;;
      <text>.replace(<chars>, <text>) ;; <text>.replace(<chars>, <text>, <small>) ;; <text>.upper() ;;
      <text>.lower() ;; <text>.title() ;; <text>.capitalize() ;; <text>.swapcase() ;; <text>.casefold() ;;
      <text>.center(<small>) ;; <text>.ljust(<small>, '*') ;; <text>.rjust(<small>) ;;
      <text>.zfill(<small>) ;; <text>.expandtabs(4) ;; <text>.join(<texts>) ;;
      <text>.removeprefix(<text>) ;; <text>.removesuffix(<text>) ;; <text>.format(<any>) ;;
      '{} {}'.format(<any>, <any>) ;; '{a!r}-{b:>5}'.format(a=<any>, b=<text>) ;; '{:05d}'.format(<int>) ;;
      '{:.2f}'.format(<float>) ;; '{0[a]}'.format({'a': <any>}) ;; '{0.x}'.format(<any>) ;;
      '{:,}'.format(<int>) ;; '{a}'.format_map(<dict>) ;; <text>.translate({97: 'b'}) ;; '%s' % <any> ;;
      '%d:%s' % (<int>, <any>) ;; '%r' % <text> ;; '%05.1f' % <float> ;; '%(a)s' % {'a': <any>} ;;
      <text> % <any> ;; '%s|%s'|format(<any>, <any>) ;; '%d'|format(<int>) ;; <any>|string ;;
      <any>|string ;; <text>|upper ;; <text>|lower ;; <text>|title ;; <text>|capitalize ;; <text>|trim ;;
      <text>|trim ;; <text>|trim(<chars>) ;; <text>|replace(<chars>, <text>) ;;
      <text>|replace(<chars>, <text>, <small>) ;; <any>|tojson ;; <any>|tojson ;;
      <any>|tojson(indent=<small>) ;; <any>|tojson(ensure_ascii=<bool>) ;; <dict>|tojson(sort_keys=true) ;;
      <list>|tojson(separators=(',', ':')) ;; <any>|tojson(indent=2) ;; <any>|tojson(<any>) ;;
      <list>|join ;; <texts>|join(<sep>) ;; <list>|join(<sep>) ;;
      <messages>|join(', ', attribute='role') ;; <texts>|first ;; <texts>|last ;; <text>|first ;;
      <text>|last ;; <text>|reverse ;; <text>|indent ;; <text>|indent(<small>) ;;
      <text>|indent(width=2, first=<bool>) ;; <text>|indent(2, blank=true) ;; <any>|default(<text>) ;;
      <any>|d(<text>, true) ;; <text>|e ;; <any>|escape ;; <text>|safe ;; <text>|forceescape ;;
      <text>|striptags ;; <text>|center(<small>) ;; <text>|truncate(<small>) ;;
      <text>|truncate(<small>, true, '…') ;; <text>|truncate(9, killwords=<bool>, leeway=0) ;;
      <text>|wordwrap(<small>) ;; <text>|wordwrap(9, break_long_words=<bool>) ;; <text>|urlencode ;;
      <dict>|urlencode ;; <text>|urlize ;; <any>|pprint ;; <int>|filesizeformat ;;
      <float>|filesizeformat(true) ;; <dict>|xmlattr ;; <texts>|max ;; <texts>|min ;; <message>.role ;;
      <message>['role'] ;; <message>.content ;; <message>['content'] ;; <message>.get('content', '') ;;
      <message>.content|trim ;; <message>.get(<text>, <text>) ;; messages[0]['role'] ;;
      messages[0].content ;; messages[-1]['content'] ;; <message>.reasoning_content ;; <tool>.name ;;
      tools[0].function.name ;; <tool>.get('name', <text>) ;; <dict>[<text>] ;;
      <dict>.get(<text>, <text>) ;; <dict>|attr('a') ;; strftime_now('%Y-%m-%d') ;;
      strftime_now(<format>) ;; <callable>(<any>) ;; <callable>() ;; <text>|list|join ;;
      <text>|string|length|string ;; (<text>|e) + <text> ;; (<text>|e) ~ <text> ;; (<text>|safe).upper() ;;
      <text>|e|upper ;; (<text>|e) % <text> ;; cycler(<text>, <text>).next() ;; joiner(<sep>)() ;;
      loop.cycle(<text>, <text>) ;; <text>|map('upper')|join ;; <texts>|map('trim')|join(<sep>) ;;
      <text>|default('x')|replace('a', 'b')
    `,
  ),
  chars: rule(
    `
      'a' ;; '\\n' ;; ' ' ;; 'l' ;; '</think>' ;; '<b>' ;; '' ;; 'é' ;; 'lo' ;; ' \\n'
    `,
    `
      <text>
    `,
  ),
  sep: rule(
    `
      ', ' ;; '\\n' ;; ' ' ;; ',' ;; '</think>' ;; '|' ;; 'l'
    `,
    `
      <text> ;; none
    `,
  ),
  format: rule(
    `
      '%d %b %Y' ;; '%H:%M:%S.%f' ;; '%A %B %j %U %p %I' ;; '%-d %y %%' ;; '%c|%x|%X|%Z|%z|%e'
    `,
    `
      <text>
    `,
  ),
  small: rule(
    `
      0 ;; 1 ;; 2 ;; 3 ;; 5 ;; 12 ;; -1
    `,
    `
      <int> % 9 ;; true
    `,
  ),
  index: rule(
    `
      0 ;; 1 ;; -1 ;; 2 ;; -2 ;; 99 ;; -99 ;; 3
    `,
    `
      <int> ;; loop.index0 ;; n ;; (<messages>|length) - 1
    `,
  ),
  step: rule(
    `
      -1 ;; 2 ;; 1 ;; -2 ;; 3
    `,
    `
      <int>
    `,
  ),
  int: rule(
    `
      n ;; m ;; zero ;; 1 ;; 2 ;; 3 ;; 0 ;; 7 ;; -4 ;; big ;; 100 ;; ints[0] ;; 9007199254740993 ;; 0x1F ;;
      1_000
    `,
    `
      <any>|length ;; <text>|length ;; <list>|length ;; <messages>|length ;; <messages>|count ;;
      <int> + <int> ;; <int> + 1 ;; <int> - <int> ;; <int> - 1 ;; <int> * <int> ;; <int> // <int> ;;
      <int> % <int> ;; <int> % 2 ;; <int> ** <small> ;; -<int> ;; +<int> ;; <any>|int ;; <text>|int ;;
      <text>|int(<int>) ;; <text>|int(0, 16) ;; <float>|int ;; <int>|abs ;; <ints>|sum ;; <ints>|max ;;
      <ints>|min ;; <ints>|first ;; <ints>|last ;; <ints>[<index>] ;; <text>.count(<chars>) ;;
      <text>.find(<chars>) ;; <text>.rfind(<text>) ;; <text>.index(<chars>) ;; <text>.rindex(<chars>) ;;
      <list>.count(<any>) ;; <list>.index(<any>) ;; <tuple>.count(<any>) ;; <tuple>.index(<any>) ;;
      <int>.bit_length() ;; <int>.bit_count() ;; <int>.real ;; <int>.numerator ;; <int>.imag ;;
      <int>.conjugate() ;; <int> if <bool> else <int> ;; <int> or <int> ;; <text>|wordcount ;;
      <int>|round ;; <bool> + <int> ;; <list>|sum(attribute='n', start=<int>) ;; loop.index ;;
      loop.index0 ;; loop.revindex ;; loop.revindex0 ;; loop.length ;; loop.depth ;; loop.depth0 ;;
      loop.index0 % 2 ;; (<messages>|length) - 1
    `,
  ),
  float: rule(
    `
      f ;; g ;; 1.5 ;; 2.0 ;; -0.5 ;; 1e3 ;; 0.1 ;; 1e16
    `,
    `
      <int> / <int> ;; <float> + <int> ;; <float> * <float> ;; <float> - <float> ;; <float> // <int> ;;
      <float> % <float> ;; <float> ** 2 ;; <float> ** <float> ;; <int> ** <float> ;; <any>|float ;; <text>|float(<float>) ;; <int>|float ;;
      <float>|round ;; <float>|round(2) ;; <float>|round(1, 'floor') ;;
      <float>|round(<small>, method='ceil') ;; <float>|abs ;; -<float> ;; [<float>, <int>]|sum ;;
      <float>.real ;; <float>.conjugate() ;; <ints>|sum / <int>
    `,
  ),
  bool: rule(
    `
      t ;; fa ;; true ;; false ;; True ;; False ;; add_generation_prompt ;; enable_thinking
    `,
    `
      <any> == <any> ;; <any> != <any> ;; <text> == <text> ;; <text> != <text> ;;
      <message>.role == 'user' ;; <message>['role'] == 'assistant' ;; <message>['role'] != 'system' ;;
      messages[0]['role'] == 'system' ;; messages[0].role == 'system' ;;
      (<message>['role'] == 'user') != (loop.index0 % 2 == 0) ;; loop.index0 % 2 == 0 ;; loop.first ;;
      loop.last ;; not loop.last ;; not loop.first ;; loop.changed(<any>) ;; <int> < <int> ;;
      <int> <= <int> ;; <int> > <float> ;; <int> >= <int> ;; <text> < <text> ;; <text> >= <text> ;;
      1 < <int> <= 9 ;; <any> < <any> ;; <list> < <list> ;; <chars> in <text> ;; <text> in <text> ;;
      <text> not in <text> ;; <text> in <texts> ;; <int> in <ints> ;; <any> in <list> ;;
      <any> not in <any> ;; <text> in <dict> ;; 'content' in <message> ;; 'tool_calls' in <message> ;;
      'role' not in <message> ;; <text> in ['user', 'tool'] ;; <text> in ('a', 'b') ;; not <bool> ;;
      not <any> ;; <bool> and <bool> ;; <bool> or <bool> ;; <bool> and not <bool> ;;
      <any> is defined and <any> ;; <any> is not none and <any> ;; <any> is defined ;;
      <any> is not defined ;; <any> is undefined ;; <any> is none ;; <any> is not none ;;
      <any> is string ;; <any> is not string ;; <any> is mapping ;; <any> is iterable ;;
      <any> is iterable and <any> is not string ;; <any> is sequence ;; <any> is number ;;
      <any> is integer ;; <any> is float ;; <any> is boolean ;; <any> is true ;; <any> is false ;;
      <any> is callable ;; <int> is odd ;; <int> is even ;; <int> is divisibleby <int> ;;
      <int> is divisibleby(3) ;; <text> is upper ;; <text> is lower ;; <any> is sameas <any> ;;
      <any> is sameas none ;; <any> is eq <any> ;; <any> is equalto(<any>) ;; <int> is gt 3 ;;
      <int> is lessthan(<int>) ;; <int> is ge <int> ;; <any> is ne <any> ;; <text> is in <texts> ;;
      <any> is in <list> ;; <text> is escaped ;; <text>|e is escaped ;; <text> is filter ;;
      'upper' is filter ;; 'odd' is test ;; <int> is le 2 ;; <int> is greaterthan 1 ;;
      <text>.startswith(<chars>) ;; <text>.startswith(('a', <text>)) ;; <text>.endswith(<chars>) ;;
      <text>.startswith('<think>') ;; <text>.endswith('</think>') ;; <text>.isdigit() ;;
      <text>.isalpha() ;; <text>.isalnum() ;; <text>.isspace() ;; <text>.isupper() ;; <text>.islower() ;;
      <text>.istitle() ;; <text>.isidentifier() ;; <text>.isnumeric() ;; <text>.isdecimal() ;;
      <text>.isascii() ;; <text>.isprintable() ;; <float>.is_integer() ;; add_generation_prompt ;;
      enable_thinking is defined and enable_thinking is false ;;
      enable_thinking is not defined or enable_thinking ;; tools is defined and tools is not none ;;
      tools and tools|length > 0 ;; tools is not none and tools|length ;; <message>.content is string ;;
      <message>.content is defined and <message>.content ;;
      <message>.tool_calls is defined and <message>.tool_calls is not none ;; <message>.content is none ;;
      <bool> if <bool> else <bool> ;; <any>|default(false) ;; <bool>|string == 'True' ;;
      messages[loop.index0 - 1].role == 'user' ;;
      loop.previtem is defined and loop.previtem.role == 'user' ;; loop.nextitem is undefined ;;
      <text>[0] == <chars> ;; <text>|trim == '' ;; <dict> is mapping and <text> in <dict>
    `,
  ),
  texts: rule(
    `
      ts ;; ['a', 'b'] ;; ['b', 'A', 'c'] ;; ['x', '']
    `,
    `
      <text>.split(<sep>) ;; <text>.split() ;; <text>.split(<sep>, <small>) ;; <text>.rsplit(<sep>, 1) ;;
      <text>.splitlines() ;; <text>.splitlines(true) ;; <text>.partition(<chars>) ;;
      <text>.rpartition(<chars>) ;; [<text>, <text>] ;; <texts> + <texts> ;; <text>|list ;;
      <texts>|map('upper')|list ;; <list>|map('string')|list ;; <texts>|map('trim')|list ;;
      <texts>|map('replace', 'a', <text>)|list ;; <texts>|sort ;; <texts>|unique|list ;;
      <texts>|reverse|list ;; <texts>|select|list ;; <texts>|reject('equalto', <text>)|list ;;
      <texts>|select('in', <list>)|list ;; <messages>|map(attribute='role')|list ;;
      <messages>|map(attribute='content')|list ;; <messages>|map(attribute='content', default='')|list ;;
      <dict>.keys()|list ;; <dict>|list ;; <texts>[<index>:<index>] ;; <texts>[::-1] ;; <texts>[1:] ;;
      <texts>|map('length')|map('string')|list ;; <list>|select('string')|list ;; <texts> * 2
    `,
  ),
  ints: rule(
    `
      ints ;; [1, 2, 3] ;; range(3) ;; [3, 1, 2] ;; range(0)
    `,
    `
      range(<small>) ;; range(<small>, 5) ;; range(5, <small>, -1) ;; [<int>, <int>] ;; <ints>|sort ;;
      <ints>|sort(reverse=<bool>) ;; <ints>|map('abs')|list ;; <ints>|select('odd')|list ;;
      <ints>|reject('gt', 1)|list ;; <texts>|map('length')|list ;; <ints>|select('divisibleby', 2)|list ;;
      <ints>|list ;; <ints>[::<step>] ;; <ints>|unique|list ;; range(<messages>|length) ;;
      <ints>|reverse
    `,
  ),
  list: rule(
    `
      l ;; el ;; [] ;; [none, 1, 'a'] ;; [true, 1.0, [2]] ;; ts ;; ints
    `,
    `
      [<any>, <any>] ;; [<any>] ;; <texts> ;; <ints> ;; <messages> ;; <list> + <list> ;;
      <list> * <small> ;; <list>[<index>:] ;; <list>[::<step>] ;; <dict>.items()|list ;;
      <dict>.values()|list ;; <dict>|dictsort ;; <dict>|dictsort(by='value') ;;
      <dict>|dictsort(true, reverse=<bool>) ;; <dict>|items|list ;; <dict>.items() ;; <dict>.values() ;;
      <dict>.keys() ;; <list>|batch(2)|list ;; <list>|batch(<small>, <any>)|list ;; <list>|slice(2)|list ;;
      <list>|slice(<small>, <any>)|list ;; <list>|unique|list ;; <list>|sort ;; <list>|reverse|list ;;
      <list>|select|list ;; <list>|reject('none')|list ;; <list>|select('defined')|list ;;
      <list>|map('default', <any>)|list ;; <list>|map('tojson')|list ;;
      <list>|map(attribute=<index>)|list ;; <list>.copy() ;; <list>|list ;; <tuple> ;;
      <messages>|groupby('role') ;; <messages>|groupby('role', default='')|list ;;
      <messages>|sort(attribute='role') ;; <messages>|map('items')|map('list')|list ;;
      <messages>|selectattr('role', 'equalto', <text>)|list ;; <list>|map(<any>)|list ;;
      <list>|selectattr(<text>)|list ;; <list>|map('first')|list ;; <list>|batch(2) ;;
      <list>|map('string') ;; <list>|select ;;
      <tools>|map(attribute='function')|map(attribute='name')|list ;;
      <messages>|map(attribute='tool_calls.0.function')|list ;; <messages>|unique(attribute='role')|list ;;
      zip ;; <ints>|map('round', 1)|list
    `,
  ),
  bytes: rule(
    `
      'abc'.encode() ;; s.encode() ;; ''.encode()
    `,
    `
      <text>.encode() ;; <text>.encode('latin-1', 'replace') ;; <bytes> + <bytes> ;; <bytes>[<index>:] ;;
      <bytes>.upper() ;; <bytes>.strip() ;; <bytes>.replace('a'.encode(), <bytes>) ;;
      <bytes>.split()[<index>] ;; <bytes>.rjust(<small>, '*'.encode()) ;; <int>.to_bytes(<small>, 'big')
    `,
  ),
  set: rule(
    `
      ints - ed.keys() ;; d.keys() - d.keys()
    `,
    `
      <ints> - <dict>.keys() ;; <dict>.keys() - <list> ;; <list> - <dict>.items() ;; <set> - <set> ;;
      <set>.union(<ints>) ;; <set>.copy()
    `,
  ),
  tuple: rule(
    `
      (1, 'a') ;; () ;; (none,)
    `,
    `
      (<any>, <any>) ;; (<any>,) ;; <dict>.items()|first ;; <text>.partition(<chars>) ;;
      <tuple> + <tuple> ;; <tuple>[<index>:] ;; <float>.as_integer_ratio()
    `,
  ),
  dict: rule(
    `
      d ;; nested ;; ed ;; {} ;; {'a': 1} ;; {'b': none, 'a': 'x'} ;; nested.a ;; d['function']
    `,
    `
      {'a': <any>} ;; {'a': <any>, 'b': <any>} ;; {<text>: <any>} ;; {<any>: <any>, <int>: <any>} ;;
      dict(a=<any>) ;; dict(<dict>, b=<any>) ;; dict(<list>) ;; dict(**<dict>) ;; <dict>.copy() ;;
      <message> ;; <tool> ;; <tool>.function.parameters.properties ;; <tool>.parameters ;;
      <dict> if <bool> else {} ;; <dict>.get(<text>, {}) ;; dict.fromkeys(<texts>, <any>) ;;
      <message>.tool_calls[0].function.arguments ;; {1: <any>, true: <any>, 1.0: <any>} ;;
      {}.fromkeys(<texts>)
    `,
  ),
  messages: rule(
    `
      messages ;; messages[1:]
    `,
    `
      messages ;; messages[<index>:] ;; messages[:<index>] ;; messages[::-1] ;;
      messages|selectattr('role', 'equalto', 'user')|list ;;
      messages|selectattr('role', '==', 'assistant')|list ;;
      messages|rejectattr('role', 'equalto', 'system')|list ;; messages|selectattr('content')|list ;;
      messages|selectattr('tool_calls', 'defined')|list ;; messages|rejectattr('content', 'none')|list ;;
      messages|selectattr('role', 'in', ['user', 'tool'])|list ;; messages|reverse|list ;; messages|list ;;
      messages|rejectattr('role', 'equalto', 'tool') ;; messages if <bool> else messages[1:] ;;
      messages + [{'role': 'user', 'content': <any>}] ;; messages[<index>:<index>] ;;
      messages|selectattr('role', 'equalto', <text>) ;; messages|sort(attribute='role')|list
    `,
  ),
  message: rule(
    `
      messages[0] ;; messages[-1]
    `,
    `
      messages[<index>] ;; <messages>|first ;; <messages>|last ;; <messages>[0] ;; loop.previtem ;;
      loop.nextitem ;; {'role': <text>, 'content': <any>} ;; messages[loop.index0 + 1] ;;
      (<messages>)[-1]
    `,
  ),
  tools: rule(
    `
      tools ;; documents
    `,
    `
      tools ;; tools or [] ;; tools|default([]) ;; <message>.tool_calls ;; tools[:<index>] ;;
      <message>['tool_calls'] or [] ;; documents
    `,
  ),
  tool: rule(
    `
      tools[0]
    `,
    `
      <tools>[0] ;; <tools>|first ;; <tool>.function ;; <tools>[<index>] ;; <message>.tool_calls[0]
    `,
  ),
  callable: rule(
    `
      raise_exception ;; namespace ;; range ;; dict ;; s.upper ;; joiner() ;; caller
    `,
    `
      <any> ;; <text>.strip ;; <dict>.get ;; <list>.append ;; <dict>.update ;; <any>.__class__ ;;
      messages.append ;; d.pop ;; l.extend ;; undefd
    `,
  ),
  any: rule(
    `
      s ;; n ;; f ;; t ;; z ;; l ;; d ;; x ;; y ;; undefd ;; none ;; None ;; messages ;; tools ;; nested ;;
      big ;; ts ;; el ;; ed ;; x.a ;; d.b ;; html|e ;; d.items ;; x[0] ;; range ;; loop ;; self ;;
      namespace(a=1)
    `,
    `
      <text> ;; <text> ;; <text> ;; <text> ;; <int> ;; <int> ;; <float> ;; <bool> ;; <bool> ;; <list> ;;
      <texts> ;; <ints> ;; <dict> ;; <tuple> ;; <message> ;; <message>.content ;; <tool> ;; <any>.a ;;
      <any>[<text>] ;; <any>.items ;; <any>.<key> ;; <any>['<key>'] ;; <dict>.<key> ;; <dict>['<key>'] ;;
      <any>[<any>] ;; <any>.<digit> ;; <list>|first ;; <list>|last ;; <any>|default(<any>) ;;
      <any>|default(<any>, true) ;; <any> if <bool> else <any> ;; <any> or <any> ;; <any> and <any> ;;
      <any> + <any> ;; <any> * <small> ;; <any>|attr(<text>) ;; <any>.get(<any>) ;; <any>|<filter> ;;
      <any>|<filter>(<any>) ;; <any>|<filter>(<any>, <any>) ;; <list>|map('<filter>')|list ;; <list>|max ;;
      <list>|min ;; <list>|sum ;; <any>.<method>() ;; <any>.<method>(<any>) ;; <text>.<method>(<any>) ;;
      -<any> ;; <any> - <any> ;; <any> / <int> ;; <any> % <any> ;; <dict>.items() ;; <list>|map('upper') ;;
      <list>|select('<test>')|list ;; <any> is <test> ;; <messages>|map(attribute='<key>')|list ;;
      <messages>|selectattr('<key>', '<test>')|list ;; <any>[<index>:<index>] ;;
      <bytes> ;; <set> ;; <bytes>.decode() ;; [<any>]|random ;; <float> ** <float> ;; +<any> ;;
      cycler(<any>, <any>).current ;; (<any>)(<any>) ;; <list>[-1] ;; <list>[0] ;; <any> ~ <any>
    `,
  ),
  key: rule(
    `
      a ;; b ;; role ;; content ;; name ;; items ;; keys ;; get ;; values ;; count ;; index ;; length ;;
      constructor ;; toString ;; _x ;; __class__ ;; function ;; title ;; first ;; update ;; append ;; é ;;
      text ;; type ;; real ;; start
    `,
  ),
  digit: rule(
    `
      0 ;; 1 ;; 99
    `,
  ),
  method: rule(
    `
      upper ;; strip ;; items ;; keys ;; values ;; get ;; copy ;; count ;; index ;; title ;; append ;;
      pop ;; update ;; clear ;; sort ;; setdefault ;; popitem ;; insert ;; remove ;; extend ;; reverse ;;
      splitlines ;; encode ;; hex ;; is_integer ;; bit_length ;; as_integer_ratio ;; to_bytes ;; join ;;
      split ;; partition ;; maketrans ;; startswith ;; find ;; __len__ ;; next ;; reset ;; isspace ;;
      center ;; zfill ;; replace ;; format ;; islower ;; fromhex ;; fromkeys ;; conjugate ;; swapcase ;;
      casefold ;; unescape ;; striptags
    `,
  ),
  filter: rule(
    `
      abs ;; attr ;; batch ;; capitalize ;; center ;; count ;; d ;; default ;; dictsort ;; e ;; escape ;;
      filesizeformat ;; first ;; float ;; forceescape ;; format ;; groupby ;; indent ;; int ;; items ;;
      join ;; last ;; length ;; list ;; lower ;; map ;; max ;; min ;; pprint ;; reject ;; rejectattr ;;
      replace ;; reverse ;; round ;; safe ;; select ;; selectattr ;; slice ;; sort ;; string ;;
      striptags ;; sum ;; title ;; tojson ;; trim ;; truncate ;; unique ;; upper ;; urlencode ;; urlize ;;
      wordcount ;; wordwrap ;; xmlattr ;; nosuch
    `,
  ),
  test: rule(
    `
      boolean ;; callable ;; defined ;; escaped ;; even ;; false ;; filter ;; float ;; integer ;;
      iterable ;; lower ;; mapping ;; none ;; number ;; odd ;; sequence ;; string ;; test ;; true ;;
      undefined ;; upper ;; nosuch ;; eq ;; in ;; sameas ;; gt ;; divisibleby
    `,
  ),
};
