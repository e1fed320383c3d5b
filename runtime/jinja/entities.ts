/** HTML's named character references, by the standard's table. */

/**
 * Code points and the names that stand for them. A code point is written, in hexadecimal digits, as what it has more
 * than the one before it, if that is not 1; a second one that stands with it follows as it is. Names with a "!" also
 * count without a semicolon.
 */
const NAMES = `
9=Tab =NewLine 17=excl =QUOT!,quot! =num =dollar =percnt =AMP!,amp! =apos =lpar =rpar =ast,midast =plus =comma
2=period =sol b=colon =semi =LT!,lt! 0-20d2=nvlt =equals 0-20e5=bne =GT!,gt! 0-20d2=nvgt =quest =commat 1b=lbrack,lsqb
=bsol =rbrack,rsqb =Hat =UnderBar,lowbar =DiacriticalGrave,grave 6-6a=fjlig 15=lbrace,lcub =VerticalLine,verbar,vert
=rbrace,rcub 23=NonBreakingSpace,nbsp! =iexcl! =cent! =pound! =curren! =yen! =brvbar! =sect! =Dot,DoubleDot,die,uml!
=COPY!,copy! =ordf! =laquo! =not! =shy! =REG!,circledR,reg! =macr!,strns =deg! =PlusMinus,plusmn!,pm =sup2! =sup3!
=DiacriticalAcute,acute! =micro! =para! =CenterDot,centerdot,middot! =Cedilla,cedil! =sup1! =ordm! =raquo! =frac14!
=frac12!,half =frac34! =iquest! =Agrave! =Aacute! =Acirc! =Atilde! =Auml! =Aring!,angst =AElig! =Ccedil! =Egrave!
=Eacute! =Ecirc! =Euml! =Igrave! =Iacute! =Icirc! =Iuml! =ETH! =Ntilde! =Ograve! =Oacute! =Ocirc! =Otilde! =Ouml!
=times! =Oslash! =Ugrave! =Uacute! =Ucirc! =Uuml! =Yacute! =THORN! =szlig! =agrave! =aacute! =acirc! =atilde! =auml!
=aring! =aelig! =ccedil! =egrave! =eacute! =ecirc! =euml! =igrave! =iacute! =icirc! =iuml! =eth! =ntilde! =ograve!
=oacute! =ocirc! =otilde! =ouml! =div,divide! =oslash! =ugrave! =uacute! =ucirc! =uuml! =yacute! =thorn! =yuml! =Amacr
=amacr =Abreve =abreve =Aogon =aogon =Cacute =cacute =Ccirc =ccirc =Cdot =cdot =Ccaron =ccaron =Dcaron =dcaron =Dstrok
=dstrok =Emacr =emacr 3=Edot =edot =Eogon =eogon =Ecaron =ecaron =Gcirc =gcirc =Gbreve =gbreve =Gdot =gdot =Gcedil
2=Hcirc =hcirc =Hstrok =hstrok =Itilde =itilde =Imacr =imacr 3=Iogon =iogon =Idot =imath,inodot =IJlig =ijlig =Jcirc
=jcirc =Kcedil =kcedil =kgreen =Lacute =lacute =Lcedil =lcedil =Lcaron =lcaron =Lmidot =lmidot =Lstrok =lstrok =Nacute
=nacute =Ncedil =ncedil =Ncaron =ncaron =napos =ENG =eng =Omacr =omacr 3=Odblac =odblac =OElig =oelig =Racute =racute
=Rcedil =rcedil =Rcaron =rcaron =Sacute =sacute =Scirc =scirc =Scedil =scedil =Scaron =scaron =Tcedil =tcedil =Tcaron
=tcaron =Tstrok =tstrok =Utilde =utilde =Umacr =umacr =Ubreve =ubreve =Uring =uring =Udblac =udblac =Uogon =uogon
=Wcirc =wcirc =Ycirc =ycirc =Yuml =Zacute =zacute =Zdot =zdot =Zcaron =zcaron 14=fnof 23=imped 40=gacute 42=jmath
8f=circ =Hacek,caron 11=Breve,breve =DiacriticalDot,dot =ring =ogon =DiacriticalTilde,tilde
=DiacriticalDoubleAcute,dblac 34=DownBreve 80=Alpha =Beta =Gamma =Delta =Epsilon =Zeta =Eta =Theta =Iota =Kappa
=Lambda =Mu =Nu =Xi =Omicron =Pi =Rho 2=Sigma =Tau =Upsilon =Phi =Chi =Psi =Omega,ohm 8=alpha =beta =gamma =delta
=epsi,epsilon =zeta =eta =theta =iota =kappa =lambda =mu =nu =xi =omicron =pi =rho =sigmaf,sigmav,varsigma =sigma =tau
=upsi,upsilon =phi =chi =psi =omega 8=thetasym,thetav,vartheta =Upsi,upsih 3=phiv,straightphi,varphi =piv,varpi
6=Gammad =digamma,gammad 13=kappav,varkappa =rhov,varrho 4=epsiv,straightepsilon,varepsilon =backepsilon,bepsi b=IOcy
=DJcy =GJcy =Jukcy =DScy =Iukcy =YIcy =Jsercy =LJcy =NJcy =TSHcy =KJcy 2=Ubrcy =DZcy =Acy =Bcy =Vcy =Gcy =Dcy =IEcy
=ZHcy =Zcy =Icy =Jcy =Kcy =Lcy =Mcy =Ncy =Ocy =Pcy =Rcy =Scy =Tcy =Ucy =Fcy =KHcy =TScy =CHcy =SHcy =SHCHcy =HARDcy
=Ycy =SOFTcy =Ecy =YUcy =YAcy =acy =bcy =vcy =gcy =dcy =iecy =zhcy =zcy =icy =jcy =kcy =lcy =mcy =ncy =ocy =pcy =rcy
=scy =tcy =ucy =fcy =khcy =tscy =chcy =shcy =shchcy =hardcy =ycy =softcy =ecy =yucy =yacy 2=iocy =djcy =gjcy =jukcy
=dscy =iukcy =yicy =jsercy =ljcy =njcy =tshcy =kjcy 2=ubrcy =dzcy 1ba3=ensp =emsp =emsp13 =emsp14 2=numsp =puncsp
=ThinSpace,thinsp =VeryThinSpace,hairsp
=NegativeMediumSpace,NegativeThickSpace,NegativeThinSpace,NegativeVeryThinSpace,ZeroWidthSpace =zwnj =zwj =lrm =rlm
=dash,hyphen 3=ndash =mdash =horbar =Verbar,Vert 2=OpenCurlyQuote,lsquo =CloseCurlyQuote,rsquo,rsquor =lsquor,sbquo
2=OpenCurlyDoubleQuote,ldquo =CloseCurlyDoubleQuote,rdquo,rdquor =bdquo,ldquor 2=dagger =Dagger,ddagger =bull,bullet
3=nldr =hellip,mldr a=permil =pertenk =prime =Prime =tprime =backprime,bprime 4=lsaquo =rsaquo 4=OverBar,oline 3=caret
2=hybull =frasl b=bsemi 8=qprime 8=MediumSpace 0-200a=ThickSpace =NoBreak =ApplyFunction,af =InvisibleTimes,it
=InvisibleComma,ic 49=euro 2f=TripleDot,tdot =DotDot 26=Copf,complexes 3=incare 5=gscr =HilbertSpace,Hscr,hamilt
=Hfr,Poincareplane =Hopf,quaternions =planckh =hbar,hslash,planck,plankv =Iscr,imagline =Ifr,Im,image,imagpart
=Laplacetrf,Lscr,lagran =ell 2=Nopf,naturals =numero =copysr =weierp,wp =Popf,primes =Qopf,rationals =Rscr,realine
=Re,Rfr,real,realpart =Ropf,reals =rx 4=TRADE,trade 2=Zopf,integers 3=mho =Zfr,zeetrf =iiota 3=Bernoullis,Bscr,bernou
=Cayleys,Cfr 2=escr =Escr,expectation =Fouriertrf,Fscr 2=Mellintrf,Mscr,phmmat =order,orderof,oscr =alefsym,aleph
=beth =gimel =daleth d=CapitalDifferentialD,DD =DifferentialD,dd =ExponentialE,ee,exponentiale =ImaginaryI,ii b=frac13
=frac23 =frac15 =frac25 =frac35 =frac45 =frac16 =frac56 =frac18 =frac38 =frac58 =frac78
32=LeftArrow,ShortLeftArrow,larr,leftarrow,slarr =ShortUpArrow,UpArrow,uarr,uparrow
=RightArrow,ShortRightArrow,rarr,rightarrow,srarr =DownArrow,ShortDownArrow,darr,downarrow
=LeftRightArrow,harr,leftrightarrow =UpDownArrow,updownarrow,varr =UpperLeftArrow,nwarr,nwarrow
=UpperRightArrow,nearr,nearrow =LowerRightArrow,searr,searrow =LowerLeftArrow,swarr,swarrow =nlarr,nleftarrow
=nrarr,nrightarrow 2=rarrw,rightsquigarrow 0-338=nrarrw =Larr,twoheadleftarrow =Uarr =Rarr,twoheadrightarrow =Darr
=larrtl,leftarrowtail =rarrtl,rightarrowtail =LeftTeeArrow,mapstoleft =UpTeeArrow,mapstoup =RightTeeArrow,map,mapsto
=DownTeeArrow,mapstodown 2=hookleftarrow,larrhk =hookrightarrow,rarrhk =larrlp,looparrowleft =looparrowright,rarrlp
=harrw,leftrightsquigarrow =nharr,nleftrightarrow 2=Lsh,lsh =Rsh,rsh =ldsh =rdsh 2=crarr =cularr,curvearrowleft
=curarr,curvearrowright 3=circlearrowleft,olarr =circlearrowright,orarr =LeftVector,leftharpoonup,lharu
=DownLeftVector,leftharpoondown,lhard =RightUpVector,uharr,upharpoonright =LeftUpVector,uharl,upharpoonleft
=RightVector,rharu,rightharpoonup =DownRightVector,rhard,rightharpoondown =RightDownVector,dharr,downharpoonright
=LeftDownVector,dharl,downharpoonleft =RightArrowLeftArrow,rightleftarrows,rlarr =UpArrowDownArrow,udarr
=LeftArrowRightArrow,leftrightarrows,lrarr =leftleftarrows,llarr =upuparrows,uuarr =rightrightarrows,rrarr
=ddarr,downdownarrows =ReverseEquilibrium,leftrightharpoons,lrhar =Equilibrium,rightleftharpoons,rlhar
=nLeftarrow,nlArr =nLeftrightarrow,nhArr =nRightarrow,nrArr =DoubleLeftArrow,Leftarrow,lArr
=DoubleUpArrow,Uparrow,uArr =DoubleRightArrow,Implies,Rightarrow,rArr =DoubleDownArrow,Downarrow,dArr
=DoubleLeftRightArrow,Leftrightarrow,hArr,iff =DoubleUpDownArrow,Updownarrow,vArr =nwArr =neArr =seArr =swArr
=Lleftarrow,lAarr =Rrightarrow,rAarr 2=zigrarr 7=LeftArrowBar,larrb =RightArrowBar,rarrb 10=DownArrowUpArrow,duarr
8=loarr =roarr =hoarr =ForAll,forall =comp,complement =PartialD,part 0-338=npart =Exists,exist
=NotExists,nexist,nexists =empty,emptyset,emptyv,varnothing 2=Del,nabla =Element,in,isin,isinv
=NotElement,notin,notinva 2=ReverseElement,SuchThat,ni,niv =NotReverseElement,notni,notniva 3=Product,prod
=Coproduct,coprod =Sum,sum =minus =MinusPlus,mnplus,mp =dotplus,plusdo 2=Backslash,setminus,setmn,smallsetminus,ssetmn
=lowast =SmallCircle,compfn 2=Sqrt,radic 3=Proportional,prop,propto,varpropto,vprop =infin =angrt =ang,angle
0-20d2=nang =angmsd,measuredangle =angsph =VerticalBar,mid,shortmid,smid =NotVerticalBar,nmid,nshortmid,nsmid
=DoubleVerticalBar,par,parallel,shortparallel,spar =NotDoubleVerticalBar,npar,nparallel,nshortparallel,nspar
=and,wedge =or,vee =cap 0-fe00=caps =cup 0-fe00=cups =Integral,int =Int =iiint,tint =ContourIntegral,conint,oint
=Conint,DoubleContourIntegral =Cconint =cwint =ClockwiseContourIntegral,cwconint
=CounterClockwiseContourIntegral,awconint =Therefore,there4,therefore =Because,becaus,because =ratio =Colon,Proportion
=dotminus,minusd 2=mDDot =homtht =Tilde,sim,thicksim,thksim 0-20d2=nvsim =backsim,bsim 0-331=race =ac,mstpos 0-333=acE
=acd =VerticalTilde,wr,wreath =NotTilde,nsim =EqualTilde,eqsim,esim 0-338=NotEqualTilde,nesim =TildeEqual,sime,simeq
=NotTildeEqual,nsime,nsimeq =TildeFullEqual,cong =simne =NotTildeFullEqual,ncong
=TildeTilde,ap,approx,asymp,thickapprox,thkap =NotTildeTilde,nap,napprox =ape,approxeq =apid 0-338=napid
=backcong,bcong =CupCap,asympeq 0-20d2=nvap =Bumpeq,HumpDownHump,bump 0-338=NotHumpDownHump,nbump
=HumpEqual,bumpe,bumpeq 0-338=NotHumpEqual,nbumpe =DotEqual,doteq,esdot 0-338=nedot =doteqdot,eDot
=efDot,fallingdotseq =erDot,risingdotseq =Assign,colone,coloneq =ecolon,eqcolon =ecir,eqcirc =circeq,cire 2=wedgeq
=veeeq 2=triangleq,trie 3=equest,questeq =NotEqual,ne =Congruent,equiv 0-20e5=bnequiv =NotCongruent,nequiv 2=le,leq
0-20d2=nvle =GreaterEqual,ge,geq 0-20d2=nvge =LessFullEqual,lE,leqq 0-338=nlE,nleqq =GreaterFullEqual,gE,geqq
0-338=NotGreaterFullEqual,ngE,ngeqq =lnE,lneqq 0-fe00=lvertneqq,lvnE =gnE,gneqq 0-fe00=gvertneqq,gvnE
=Lt,NestedLessLess,ll 0-338=NotLessLess,nLtv 0-20d2=nLt =Gt,NestedGreaterGreater,gg 0-338=NotGreaterGreater,nGtv
0-20d2=nGt =between,twixt =NotCupCap =NotLess,nless,nlt =NotGreater,ngt,ngtr =NotLessEqual,nle,nleq
=NotGreaterEqual,nge,ngeq =LessTilde,lesssim,lsim =GreaterTilde,gsim,gtrsim =NotLessTilde,nlsim =NotGreaterTilde,ngsim
=LessGreater,lessgtr,lg =GreaterLess,gl,gtrless =NotLessGreater,ntlg =NotGreaterLess,ntgl =Precedes,pr,prec
=Succeeds,sc,succ =PrecedesSlantEqual,prcue,preccurlyeq =SucceedsSlantEqual,sccue,succcurlyeq
=PrecedesTilde,precsim,prsim =SucceedsTilde,scsim,succsim 0-338=NotSucceedsTilde =NotPrecedes,npr,nprec
=NotSucceeds,nsc,nsucc =sub,subset 0-20d2=NotSubset,nsubset,vnsub =Superset,sup,supset
0-20d2=NotSuperset,nsupset,vnsup =nsub =nsup =SubsetEqual,sube,subseteq =SupersetEqual,supe,supseteq
=NotSubsetEqual,nsube,nsubseteq =NotSupersetEqual,nsupe,nsupseteq =subne,subsetneq 0-fe00=varsubsetneq,vsubne
=supne,supsetneq 0-fe00=varsupsetneq,vsupne 2=cupdot =UnionPlus,uplus =SquareSubset,sqsub,sqsubset
0-338=NotSquareSubset =SquareSuperset,sqsup,sqsupset 0-338=NotSquareSuperset =SquareSubsetEqual,sqsube,sqsubseteq
=SquareSupersetEqual,sqsupe,sqsupseteq =SquareIntersection,sqcap 0-fe00=sqcaps =SquareUnion,sqcup 0-fe00=sqcups
=CirclePlus,oplus =CircleMinus,ominus =CircleTimes,otimes =osol =CircleDot,odot =circledcirc,ocir =circledast,oast
2=circleddash,odash =boxplus,plusb =boxminus,minusb =boxtimes,timesb =dotsquare,sdotb =RightTee,vdash =LeftTee,dashv
=DownTee,top =UpTee,bot,bottom,perp 2=models =DoubleRightTee,vDash =Vdash =Vvdash =VDash =nvdash =nvDash =nVdash
=nVDash =prurel 2=LeftTriangle,vartriangleleft,vltri =RightTriangle,vartriangleright,vrtri
=LeftTriangleEqual,ltrie,trianglelefteq 0-20d2=nvltrie =RightTriangleEqual,rtrie,trianglerighteq 0-20d2=nvrtrie
=origof =imof =multimap,mumap =hercon =intcal,intercal =veebar 2=barvee =angrtvb =lrtri =Wedge,bigwedge,xwedge
=Vee,bigvee,xvee =Intersection,bigcap,xcap =Union,bigcup,xcup =Diamond,diam,diamond =sdot =Star,sstarf
=divideontimes,divonx =bowtie =ltimes =rtimes =leftthreetimes,lthree =rightthreetimes,rthree =backsimeq,bsime
=curlyvee,cuvee =curlywedge,cuwed =Sub,Subset =Sup,Supset =Cap =Cup =fork,pitchfork =epar =lessdot,ltdot =gtdot,gtrdot
=Ll 0-338=nLl =Gg,ggg 0-338=nGg =LessEqualGreater,leg,lesseqgtr 0-fe00=lesg =GreaterEqualLess,gel,gtreqless
0-fe00=gesl 3=cuepr,curlyeqprec =cuesc,curlyeqsucc =NotPrecedesSlantEqual,nprcue =NotSucceedsSlantEqual,nsccue
=NotSquareSubsetEqual,nsqsube =NotSquareSupersetEqual,nsqsupe 3=lnsim =gnsim =precnsim,prnsim =scnsim,succnsim
=NotLeftTriangle,nltri,ntriangleleft =NotRightTriangle,nrtri,ntriangleright
=NotLeftTriangleEqual,nltrie,ntrianglelefteq =NotRightTriangleEqual,nrtrie,ntrianglerighteq =vellip =ctdot =utdot
=dtdot =disin =isinsv =isins =isindot 0-338=notindot =notinvc =notinvb 2=isinE 0-338=notinE =nisd =xnis =nis =notnivc
=notnivb 7=barwed,barwedge =Barwed,doublebarwedge 2=LeftCeiling,lceil =RightCeiling,rceil =LeftFloor,lfloor
=RightFloor,rfloor =drcrop =dlcrop =urcrop =ulcrop =bnot 2=profline =profsurf 2=telrec =target 6=ulcorn,ulcorner
=urcorn,urcorner =dlcorn,llcorner =drcorn,lrcorner 3=frown,sfrown =smile,ssmile a=cylcty =profalar 8=topbot 7=ovbar
2=solbar 3d=angzarr 34=lmoust,lmoustache =rmoust,rmoustache 3=OverBracket,tbrk =UnderBracket,bbrk =bbrktbrk
26=OverParenthesis =UnderParenthesis =OverBrace =UnderBrace 3=trpezium 5=elinters 3c=blank a5=circledS,oS
38=HorizontalLine,boxh 2=boxv a=boxdr 4=boxdl 4=boxur 4=boxul 4=boxvr 8=boxvl 8=boxhd 8=boxhu 8=boxvh 14=boxH =boxV
=boxdR =boxDr =boxDR =boxdL =boxDl =boxDL =boxuR =boxUr =boxUR =boxuL =boxUl =boxUL =boxvR =boxVr =boxVR =boxvL =boxVl
=boxVL =boxHd =boxhD =boxHD =boxHu =boxhU =boxHU =boxvH =boxVh =boxVH 14=uhblk 4=lhblk 4=block 9=blk14 =blk12 =blk34
e=Square,squ,square 9=FilledVerySmallSquare,blacksquare,squarf,squf =EmptyVerySmallSquare 2=rect =marker 3=fltns
2=bigtriangleup,xutri =blacktriangle,utrif =triangle,utri 3=blacktriangleright,rtrif =rtri,triangleright
4=bigtriangledown,xdtri =blacktriangledown,dtrif =dtri,triangledown 3=blacktriangleleft,ltrif =ltri,triangleleft
7=loz,lozenge =cir 21=tridot 3=bigcirc,xcirc 9=ultri =urtri =lltri =EmptySmallSquare =FilledSmallSquare
9=bigstar,starf =star 8=phone 32=female 2=male 1e=spades,spadesuit 3=clubs,clubsuit 2=hearts,heartsuit
=diamondsuit,diams 4=sung 3=flat =natur,natural =sharp a4=check,checkmark 4=cross 9=malt,maltese 16=sext
22=VerticalSeparator 1a=lbbrk =rbbrk 55=bsolhsub =suphsol 1d=LeftDoubleBracket,lobrk =RightDoubleBracket,robrk
=LeftAngleBracket,lang,langle =RightAngleBracket,rang,rangle =Lang =Rang =loang =roang
8=LongLeftArrow,longleftarrow,xlarr =LongRightArrow,longrightarrow,xrarr =LongLeftRightArrow,longleftrightarrow,xharr
=DoubleLongLeftArrow,Longleftarrow,xlArr =DoubleLongRightArrow,Longrightarrow,xrArr
=DoubleLongLeftRightArrow,Longleftrightarrow,xhArr 2=longmapsto,xmap 3=dzigrarr 103=nvlArr =nvrArr =nvHarr =Map
7=lbarr =bkarow,rbarr =lBarr =dbkarow,rBarr =RBarr,drbkarow =DDotrahd =UpArrowBar =DownArrowBar 3=Rarrtl 3=latail
=ratail =lAtail =rAtail =larrfs =rarrfs =larrbfs =rarrbfs 3=nwarhk =nearhk =hksearow,searhk =hkswarow,swarhk =nwnear
=nesear,toea =seswar,tosa =swnwar 9=rarrc 0-338=nrarrc 2=cudarrr =ldca =rdca =cudarrl =larrpl 3=curarrm =cularrp
8=rarrpl 3=harrcir =Uarrocir =lurdshar =ldrushar 3=LeftRightVector =RightUpDownVector =DownLeftRightVector
=LeftUpDownVector =LeftVectorBar =RightVectorBar =RightUpVectorBar =RightDownVectorBar =DownLeftVectorBar
=DownRightVectorBar =LeftUpVectorBar =LeftDownVectorBar =LeftTeeVector =RightTeeVector =RightUpTeeVector
=RightDownTeeVector =DownLeftTeeVector =DownRightTeeVector =LeftUpTeeVector =LeftDownTeeVector =lHar =uHar =rHar =dHar
=luruhar =ldrdhar =ruluhar =rdldhar =lharul =llhard =rharul =lrhard =UpEquilibrium,udhar =ReverseUpEquilibrium,duhar
=RoundImplies =erarr =simrarr =larrsim =rarrsim =rarrap =ltlarr 2=gtrarr =subrarr 2=suplarr =lfisht =rfisht =ufisht
=dfisht 6=lopar =ropar 5=lbrke =rbrke =lbrkslu =rbrksld =lbrksld =rbrkslu =langd =rangd =lparlt =rpargt =gtlPar
=ltrPar 4=vzigzag 2=vangrt =angrtvbd 7=ange =range =dwangle =uwangle =angmsdaa =angmsdab =angmsdac =angmsdad =angmsdae
=angmsdaf =angmsdag =angmsdah =bemptyv =demptyv =cemptyv =raemptyv =laemptyv =ohbar =omid =opar 2=operp 2=olcross
=odsold 2=olcir =ofcir =olt =ogt =cirscir =cirE =solb =bsolb 4=boxbox 4=trisb =rtriltri =LeftTriangleBar
0-338=NotLeftTriangleBar =RightTriangleBar 0-338=NotRightTriangleBar c=iinfin =infintie =nvinfin 5=eparsl =smeparsl
=eqvparsl 6=blacklozenge,lozf 9=RuleDelayed 2=dsol a=bigodot,xodot =bigoplus,xoplus =bigotimes,xotime
2=biguplus,xuplus 2=bigsqcup,xsqcup 6=iiiint,qint =fpartint 3=cirfnint =awint =rppolint =scpolint =npolint =pointint
=quatint =intlarhk b=pluscir =plusacir =simplus =plusdu =plussim =plustwo 2=mcomma =minusdu 3=loplus =roplus =Cross
=timesd =timesbar 2=smashp =lotimes =rotimes =otimesas =Otimes =odiv =triplus =triminus =tritime =intprod,iprod
3=amalg =capdot 2=ncup =ncap =capand =cupor =cupcap =capcup =cupbrcap =capbrcup =cupcup =capcap =ccups =ccaps
3=ccupssm 3=And =Or =andand =oror =orslope =andslope 2=andv =orv =andd =ord 2=wedbar 7=sdote 4=simdot 3=congdot
0-338=ncongdot =easter =apacir =apE 0-338=napE =eplus =pluse =Esim =Colone =Equal 2=ddotseq,eDDot =equivDD =ltcir
=gtcir =ltquest =gtquest =LessSlantEqual,leqslant,les 0-338=NotLessSlantEqual,nleqslant,nles
=GreaterSlantEqual,geqslant,ges 0-338=NotGreaterSlantEqual,ngeqslant,nges =lesdot =gesdot =lesdoto =gesdoto =lesdotor
=gesdotol =lap,lessapprox =gap,gtrapprox =lne,lneq =gne,gneq =lnap,lnapprox =gnap,gnapprox =lEg,lesseqqgtr
=gEl,gtreqqless =lsime =gsime =lsimg =gsiml =lgE =glE =lesges =gesles =els,eqslantless =egs,eqslantgtr =elsdot =egsdot
=el =eg 3=siml =simg =simlE =simgE =LessLess 0-338=NotNestedLessLess =GreaterGreater 0-338=NotNestedGreaterGreater
2=glj =gla =ltcc =gtcc =lescc =gescc =smt =lat =smte 0-fe00=smtes =late 0-fe00=lates =bumpE =PrecedesEqual,pre,preceq
0-338=NotPrecedesEqual,npre,npreceq =SucceedsEqual,sce,succeq 0-338=NotSucceedsEqual,nsce,nsucceq 3=prE =scE
=precneqq,prnE =scnE,succneqq =prap,precapprox =scap,succapprox =precnapprox,prnap =scnap,succnapprox =Pr =Sc =subdot
=supdot =subplus =supplus =submult =supmult =subedot =supedot =subE,subseteqq 0-338=nsubE,nsubseteqq =supE,supseteqq
0-338=nsupE,nsupseteqq =subsim =supsim 3=subnE,subsetneqq 0-fe00=varsubsetneqq,vsubnE =supnE,supsetneqq
0-fe00=varsupsetneqq,vsupnE 3=csub =csup =csube =csupe =subsup =supsub =subsub =supsup =suphsub =supdsub =forkv
=topfork =mlcp 9=Dashv,DoubleLeftTee 2=Vdashl =Barv =vBar =vBarv 2=Vbar =Not =bNot =rnmid =cirmid =midcir =topcir
=nhpar =parsim a=parsl 0-20e5=nparsl d003=fflig =filig =fllig =ffilig =ffllig d998=Ascr 2=Cscr =Dscr 3=Gscr 3=Jscr
=Kscr 3=Nscr =Oscr =Pscr =Qscr 2=Sscr =Tscr =Uscr =Vscr =Wscr =Xscr =Yscr =Zscr =ascr =bscr =cscr =dscr 2=fscr 2=hscr
=iscr =jscr =kscr =lscr =mscr =nscr 2=pscr =qscr =rscr =sscr =tscr =uscr =vscr =wscr =xscr =yscr =zscr 35=Afr =Bfr
2=Dfr =Efr =Ffr =Gfr 3=Jfr =Kfr =Lfr =Mfr =Nfr =Ofr =Pfr =Qfr 2=Sfr =Tfr =Ufr =Vfr =Wfr =Xfr =Yfr 2=afr =bfr =cfr =dfr
=efr =ffr =gfr =hfr =ifr =jfr =kfr =lfr =mfr =nfr =ofr =pfr =qfr =rfr =sfr =tfr =ufr =vfr =wfr =xfr =yfr =zfr =Aopf
=Bopf 2=Dopf =Eopf =Fopf =Gopf 2=Iopf =Jopf =Kopf =Lopf =Mopf 2=Oopf 4=Sopf =Topf =Uopf =Vopf =Wopf =Xopf =Yopf 2=aopf
=bopf =copf =dopf =eopf =fopf =gopf =hopf =iopf =jopf =kopf =lopf =mopf =nopf =oopf =popf =qopf =ropf =sopf =topf
=uopf =vopf =wopf =xopf =yopf =zopf
`;

let table: ReadonlyMap<string, string> | null = null;

/** The text of a named reference, with its semicolon if it has one; `undefined` if there is none. */
export function entity(name: string): string | undefined {
  table ??= readTable();
  return table.get(name);
}

function readTable(): ReadonlyMap<string, string> {
  const entries = new Map<string, string>();
  let last = 0;
  for (const word of NAMES.trim().split(/\s+/)) {
    const [codes = "", names = ""] = word.split("=");
    const [distance = "", ...joined] = codes.split("-");
    last += distance === "" ? 1 : Number.parseInt(distance, 16);
    const text = String.fromCodePoint(last, ...joined.map((code) => Number.parseInt(code, 16)));
    for (const name of names.split(",")) {
      const isBare = name.endsWith("!");
      const bare = isBare ? name.slice(0, -1) : name;
      entries.set(`${bare};`, text);
      if (isBare) entries.set(bare, text);
    }
  }
  return entries;
}
